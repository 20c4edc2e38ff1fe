#include "dynid/identification/assemble_model.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/friction_resistance.h"
#include "dynid/estimation/covariance.h"
#include "dynid/estimation/log_agreement.h"
#include "dynid/identification/physics_reservations.h"
#include "dynid/identification/recording_clusters.h"
#include "dynid/identification/sensor_fits.h"
#include "dynid/identification/verdicts.h"
#include "dynid/model/assumption_clause.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace dynid {
namespace {

// Whether the base parameter is a single parameter, not a combination.
bool standsAlone(const BaseParameters& base, size_t i) {
  const auto row = static_cast<Eigen::Index>(i);
  return base.K.cols() == 0 || base.K.row(row).isZero(1e-9);
}

void addBaseParameters(const Results& found, Model& model) {
  Covariance covariance = jackknifeCovariance(*found.regression.statistics,
                                              found.fit.estimate,
                                              blockClusters(found.recordings),
                                              found.settings.threads);
  // Equations such as the power of all drives have no channel per drive.
  if (const std::optional<EffortFactors>& factors = found.gains.uncertainty;
      factors && std::ssize(found.fit.estimate.weighted_channels) >= factors->log_covariance.cols())
    addEffortFactors(found.fit.estimate, *factors, covariance);
  model.base_covariance = covariance.matrix;
  const BaseParameters& base = found.regression.base;
  const Eigen::MatrixXd combination = base.combination();
  for (size_t i = 0; i < base.independent.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const Column& column = found.regression.layout()[base.independent[i]];
    BaseParameterEstimate estimate;
    estimate.name = column.name;
    estimate.expression = base.expression(static_cast<int>(i), found.regression.layout());
    for (int c = 0; c < base.columns; ++c)
      if (combination(k, c) != 0.0) estimate.combination.push_back({c, combination(k, c)});
    estimate.unit = column.unit;
    estimate.value = combination.row(k).dot(model.parameters);
    estimate.least_squares = found.fit.estimate.beta(k);
    estimate.std_dev = covariance.std_dev(k);
    // The interval is centred on the value that the model uses. If bounds or the prior move this
    // value away from the least-squares value, their distance is added to the uncertainty, and the
    // interval of the least-squares value is contained: a wrong bound moves a value away from it.
    const double half_width =
        std::hypot(covariance.half_width(k), estimate.value - estimate.least_squares);
    estimate.lower_95 =
        std::min(estimate.value - half_width, estimate.least_squares - covariance.half_width(k));
    estimate.upper_95 =
        std::max(estimate.value + half_width, estimate.least_squares + covariance.half_width(k));
    if (column.nonnegative && standsAlone(base, i))
      estimate.lower_95 = std::min(estimate.value, std::max(estimate.lower_95, 0.0));
    model.base_parameters.push_back(estimate);
  }
}

// Names of the logs in the order of Statistics::block_log.
std::vector<std::string> logNames(const Recordings& recordings) {
  std::vector<std::string> names;
  for (const GatheredLog& log : recordings.gathered_logs) names.push_back(log.file);
  for (const OpenedLog& log : recordings.logs)
    names.push_back(log.source->input().path.filename().string());
  return names;
}

LogComparison comparisonOf(const LogAgreement& agreement,
                           const std::string& log,
                           const Results& found) {
  LogComparison comparison;
  comparison.log = log;
  comparison.compared = agreement.compared;
  comparison.ratio = agreement.ratio;
  comparison.outside = agreement.outside;
  comparison.differs = agreement.differs;
  comparison.split = agreement.split;
  comparison.apart.assign(agreement.apart.begin(), agreement.apart.end());
  comparison.residual.assign(agreement.residual.begin(), agreement.residual.end());
  for (const ParameterDifference& difference : agreement.largest) {
    const int column = found.fit.estimate.columns[difference.position];
    comparison.largest.push_back({found.regression.layout()[column].name,
                                  difference.value,
                                  difference.other_value,
                                  difference.std_dev,
                                  difference.deviations,
                                  difference.significant});
  }
  return comparison;
}

void addAgreement(const Results& found, Model& model) {
  LeastSquaresOptions options;
  options.robust = found.settings.robust;
  options.threads = found.settings.threads;
  const std::vector<std::string> names = logNames(found.recordings);
  // If several logs share a block (many logs, few blocks), blocks are numbered.
  const bool named = std::ssize(names) == std::ssize(found.recordings.stretches);
  const auto name_of = [&](int log) {
    return named ? names.at(log) : fmt::format("log {}", log + 1);
  };
  const BlockClusters clusters = blockClusters(found.recordings);
  const Statistics& statistics = *found.regression.statistics;
  for (const LogAgreement& agreement :
       compareLogs(statistics, found.fit.estimate, options, clusters))
    model.fit.log_agreement.push_back(comparisonOf(agreement, name_of(agreement.log), found));
  if (const std::optional<LogAgreement> parts =
          compareParts(statistics, found.fit.estimate, options, clusters))
    model.fit.halves = comparisonOf(*parts, name_of(0), found);
}

// Root mean square effort, over moving samples, of the joint that a parameter affects; 0: not
// known.
double effortBehind(const Model& model, const Column& column) {
  const int joint = column.kind == ColumnKind::kInertial ? model.robot->bodies[column.owner].joint
                    : column.kind == ColumnKind::kPayload
                        ? model.robot->bodies[column.carrier].joint
                        : column.owner;
  if (joint < 0 || joint >= std::ssize(model.fit.per_joint)) return 0.0;
  const ChannelFit& channel = model.fit.per_joint[joint];
  return channel.relative_error > 0.0 ? channel.rmse / channel.relative_error : 0.0;
}

void addVerdicts(const Results& found, Model& model) {
  std::vector<Excitation> of_base;
  for (Eigen::Index i = 0; i < std::ssize(model.base_parameters); ++i) {
    const BaseParameterEstimate& estimate = model.base_parameters[i];
    const Column& column = model.layout[found.regression.base.independent[i]];
    of_base.push_back(excitationOf(
        estimate.least_squares, estimate.std_dev, column.unit, effortBehind(model, column)));
  }
  model.verdicts = parameterVerdicts(found.regression.base, found.regression.layout(), of_base);
}

// Whether `body` is `moved`, or carried by it.
bool isBehind(const Robot& robot, int body, int moved) {
  while (body >= 0 && body != moved) body = robot.bodies[body].parent;
  return body >= 0;
}

// The name of the active bound with the largest cost, among the bounds on payloads, on the total
// mass, and on `moved` and the bodies that it carries. The cost is the first-order decrease of the
// objective if the limit were relaxed by its own size. "" if all costs are below a tenth of the
// objective, because the narrow bounds of a payload with correctly stated values are active too.
std::string costliestBound(const Results& found, int moved) {
  constexpr double kWorthNaming = 0.1;
  const Robot& robot = *found.recordings.robot;
  const PhysicalFitResult& result = found.fit.consistent.result;
  const auto concerns = [&](const std::string& bound) {
    for (const Payload& payload : found.regression.payloads)
      if (bound.starts_with(payload.name + "."))
        return isBehind(robot, payload.placement.body, moved);
    for (int k = 0; k < robot.numBodies(); ++k)
      if (bound.starts_with(robot.bodies[k].name + " ")) return isBehind(robot, k, moved);
    return bound.starts_with(kTotalMassBound);
  };
  double highest = kWorthNaming * result.objective_optimal;
  std::string name;
  for (const BoundReport& bound : result.bounds) {
    if (!bound.active || !concerns(bound.name)) continue;
    const double cost = bound.multiplier * std::abs(bound.limit);
    if (cost > highest) {
      highest = cost;
      name = bound.name;
    }
  }
  return name;
}

// The speed at which the friction of least squares pushes most, if it does so noticeably and the
// friction of the physically consistent fit stops where it would push; 0 otherwise.
double speedOfPush(const Results& found, int actuator) {
  constexpr double kNoticeable = 0.02;  // of the largest friction
  const BaseParameters& base = found.regression.base;
  std::vector<Column> columns;
  std::vector<double> free, passive;
  for (size_t i = 0; i < base.independent.size(); ++i) {
    const Column& column = found.regression.layout()[base.independent[i]];
    if (column.owner != actuator || !isDissipative(column)) continue;
    columns.push_back(column);
    free.push_back(found.fit.estimate.beta(static_cast<Eigen::Index>(i)));
    passive.push_back(found.fit.consistent.first_stage(base.independent[i]));
  }
  if (columns.empty()) return 0.0;
  const Eigen::VectorXd speeds =
      frictionSpeeds(highestActuatorSpeeds(*found.recordings.robot)(actuator));
  const Eigen::MatrixXd rows = frictionResistance(columns, speeds);
  const auto count = std::ssize(columns);
  const Eigen::VectorXd of_free = rows * Eigen::Map<const Eigen::VectorXd>(free.data(), count);
  const Eigen::VectorXd held = rows * Eigen::Map<const Eigen::VectorXd>(passive.data(), count);
  Eigen::Index most = 0;
  const double push = of_free.minCoeff(&most);
  const bool pushes = push < -kNoticeable * of_free.cwiseAbs().maxCoeff();
  const bool stops = held.minCoeff() < kNoticeable * held.maxCoeff();
  return pushes && stops ? speeds(most) : 0.0;
}

// The constraint that raises the residual of an actuator: an active bound of a link or payload that
// it moves or its passive friction, else the link that it moves whose physical consistency has the
// largest multiplier.
std::string priceReason(const Results& found, size_t actuator) {
  const Robot& robot = *found.recordings.robot;
  const PhysicalFitResult& result = found.fit.consistent.result;
  const std::string friction = kFrictionBound + robot.drives[actuator].name + " at";
  const int moved = robot.joints[actuator].body;
  if (const std::string bound = costliestBound(found, moved); !bound.empty())
    return "the bound \"" + bound + "\"";
  if (const double speed = speedOfPush(found, static_cast<int>(actuator)); speed != 0.0)
    return fmt::format(
        "{} (without this condition it would at {} {}; use fewer terms of friction, or record "
        "faster motion)",
        kPassiveFriction,
        toText(speed, 3),
        robot.joints[actuator].prismatic ? "m/s" : "rad/s");
  const auto behind = [&](int body) { return isBehind(robot, body, moved); };
  int strongest = -1;
  for (int k = 0; k < robot.numBodies() && k < result.body_multipliers.size(); ++k)
    if (behind(k) &&
        (strongest < 0 || result.body_multipliers(k) > result.body_multipliers(strongest)))
      strongest = k;
  for (const BoundReport& bound : result.bounds) {
    if (!bound.active) continue;
    if (bound.name.starts_with(friction)) return kPassiveFriction;
    if (bound.name == kStribeckBound + robot.drives[actuator].name)
      return "the bound \"" + bound.name + "\"";
    for (int k = 0; k < robot.numBodies(); ++k)
      if (behind(k) && bound.name.starts_with(robot.bodies[k].name + " "))
        return "the bound \"" + bound.name + "\"";
    if (bound.name.starts_with(kTotalMassBound)) return "the bound \"" + bound.name + "\"";
    if (bound.name == kOverallSizeBound) return "the bound on the overall size";
  }
  if (strongest < 0) return "bounds of the fit";
  return "the mass distribution of " + robot.bodies[strongest].name +
         " (no body has the moments that the efforts ask for)";
}

// Compares the residual of the first stage with that of unconstrained least squares, per channel.
void addPrice(const Results& found, Model& model) {
  constexpr double kWorthMention = 0.1;
  constexpr double kLeastError = 1e-3;  // relative to the effort; smaller errors need no warning
  if (found.fit.consistent.first_stage.size() == 0) return;
  const std::vector<int>& columns = found.regression.base.independent;
  const Eigen::VectorXd physical =
      channelResidual(*found.regression.statistics,
                      columns,
                      found.regression.base.combination() * found.fit.consistent.first_stage);
  const Eigen::VectorXd free =
      channelResidual(*found.regression.statistics, columns, found.fit.estimate.beta);
  for (size_t a = 0; a < model.fit.per_joint.size(); ++a) {
    const auto i = static_cast<Eigen::Index>(a);
    if (found.regression.equations.oneChannel() || !(free(i) > 0.0)) continue;
    ChannelFit& fit = model.fit.per_joint[a];
    fit.price_of_physics = physical(i) / free(i) - 1.0;
    if (fit.price_of_physics > kWorthMention && fit.relative_error > kLeastError)
      fit.price_reason = priceReason(found, a);
  }
}

// Residual of the model's parameters over the moving rows, computed from the factors; on the joint
// side if there is no coupling.
void addFit(const Results& found, Model& model) {
  const Statistics& statistics = found.score;
  const Eigen::VectorXd beta = found.regression.base.combination() * model.parameters;
  const Eigen::VectorXd sigma =
      &found.score == found.regression.statistics.get()
          ? found.fit.estimate.sigma
          : channelResidual(statistics, found.regression.base.independent, found.fit.estimate.beta);
  double residual = 0.0, measured = 0.0;
  for (int a = 0; a < found.recordings.robot->numJoints();
       ++a) {  // the channels of body sensors follow
    const ChannelStatistics& channel = statistics.channels[a];
    const ChannelSums sums = movingSums(channel, found.regression.base.independent, beta);
    const double rows = sums.rows, squared = sums.squared_residual, effort = sums.squared_effort;
    ChannelFit fit;
    fit.samples = rows;
    fit.sigma = sigma(a);
    fit.rmse = rows > 0.0 ? std::sqrt(squared / rows) : 0.0;
    if (!model.scale_known) {  // the common factor is unknown: errors in amperes
      fit.rmse /= std::abs(model.drive_gains(a));
      fit.sigma /= std::abs(model.drive_gains(a));
    }
    fit.relative_error = effort > 0.0 ? std::sqrt(squared / effort) : 0.0;
    fit.cross_validated_r2 = found.cutoffs.r2(a);
    model.fit.per_joint.push_back(fit);
    residual += squared;
    measured += effort;
  }
  model.fit.relative_error = measured > 0.0 ? std::sqrt(residual / measured) : 0.0;
  model.fit.rows = found.fit.estimate.rows;
  model.fit.condition_number = conditionNumber(*found.regression.statistics, found.fit.estimate);
  model.fit.objective_unconstrained =
      0.5 * ((found.fit.estimate.R * found.fit.estimate.beta - found.fit.estimate.z).squaredNorm() +
             found.fit.estimate.residual_squared);
  for (const LogUse& use : found.regression.use) model.fit.samples += use.used;
  for (const GatheredLog& log : found.recordings.gathered_logs) model.fit.samples += log.used;
}

double relative(double squared_error, double squared_effort) {
  return squared_effort > 0.0 ? std::sqrt(squared_error / squared_effort) : std::nan("");
}

// The headline error and the noise floor, from the cross-validation of the prediction.
void addHeadline(const PredictionCutoffs& found, Model& model) {
  if (found.squared_effort.size() != std::ssize(model.fit.per_joint)) return;
  for (Eigen::Index a = 0; a < found.squared_effort.size(); ++a) {
    ChannelFit& channel = model.fit.per_joint[a];
    channel.cross_validated_error = relative(found.squared_error(a), found.squared_effort(a));
    channel.noise_floor = relative(found.squared_noise(a), found.squared_effort(a));
  }
  const double effort = found.squared_effort.sum();
  model.fit.cross_validated_error = relative(found.squared_error.sum(), effort);
  model.fit.noise_floor = relative(found.squared_noise.sum(), effort);
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void addProvenance(const Results& found, Model& model) {
  const Recordings& recordings = found.recordings;
  for (const GatheredLog& log : recordings.gathered_logs)
    model.provenance.logs.push_back({.file = log.file,
                                     .sha256 = log.sha256,
                                     .samples = log.samples,
                                     .used = log.used,
                                     .dropped = log.dropped,
                                     .first_row = log.first_row,
                                     .end_row = log.end_row,
                                     .notes = linesOf(log.notes)});
  for (size_t i = 0; i < recordings.logs.size(); ++i) {
    const LogSource& source = *recordings.logs[i].source;
    const LogUse& use = found.regression.use[i];
    LogRecord record;
    record.file = source.input().path.string();
    record.sha256 = recordings.log_digests->of(i);
    record.samples = static_cast<double>(use.counts.read);
    record.used = use.used;
    record.dropped = static_cast<double>(use.counts.read - use.counts.kept);
    record.first_row = static_cast<double>(source.firstRow());
    record.end_row = static_cast<double>(source.endRow());
    record.effort_delay = found.delays[i].delay;
    record.effort_delay_std_dev = found.delays[i].std_dev;
    record.own_effort_delay = found.delays[i].separate;
    record.notes = logNotes(source, use);
    record.assumptions = found.settings.assumptionsOf(source.input().path);
    if (!record.assumptions.texts.empty())
      record.notes.insert(record.notes.begin(),
                          "read " + assumptionClause(record.assumptions.texts));
    model.provenance.logs.push_back(record);
  }
  const IdentificationSettings& settings = found.settings;
  model.provenance.dynid_version = DYNID_VERSION;
  model.provenance.settings = {{"cutoff", toText(model.signals.cutoff_hz) + " Hz"},
                               {"filter-order", std::to_string(model.signals.filter_order)},
                               {"motion", model.signals.motion},
                               {"still-speed", toText(model.signals.still_speed)},
                               {"robust", settings.robust ? "on" : "off"},
                               {"margin", toText(settings.margin)},
                               {"second-stage", settings.second_stage ? "on" : "off"},
                               {"blocks", std::to_string(found.regression.statistics->numBlocks())},
                               {"equations", settings.equations}};
  std::vector<std::string> bodies;
  if (found.regression.equations.with_bodies)
    for (const BodySensor& sensor : distinctSensors(recordings)) bodies.push_back(sensor.link);
  if (found.regression.equations.with_base) bodies.emplace_back("base");
  if (!bodies.empty()) model.provenance.settings.emplace_back("bodies", join(bodies));
}

// Whether the fit succeeded; usability.h judges its values.
ModelStatus statusOfFit(const Results& found) {
  if (!found.fit.estimate.reason.empty()) return {false, found.fit.estimate.reason};
  if (!found.fit.consistent.result.feasible || !found.fit.consistent.result.converged)
    return {false, "the physically consistent fit failed: " + found.fit.consistent.result.reason};
  if (!found.gains.converged)
    return {false, "the drive gains did not settle; give drive_gain in the robot description"};
  return {true, ""};
}

// The signal settings of the fit, which prediction uses too.
SignalSettings signalSettings(const Results& found) {
  const Recordings& recordings = found.recordings;
  SignalSettings signals;
  signals.motion = recordings.spline_motion ? "spline" : found.settings.motion;
  signals.cutoff_hz = sharedCutoff(recordings);
  signals.filter_order = recordings.logs.empty()
                             ? recordings.pools.front().data->filter_order
                             : recordings.logs.front().source->plan().filter_order;
  signals.still_speed = recordings.least_moving_speed;
  signals.ramp_speed = recordings.ramp_speed;
  signals.effort_delay = predictionDelays(recordings);
  signals.rigid_cutoff_hz = found.cutoffs.rigid;
  signals.friction_cutoff_hz = found.cutoffs.friction;
  return signals;
}

// NaN if the efforts were not recorded as current.
Eigen::VectorXd driveGains(const Results& found) {
  const Recordings& recordings = found.recordings;
  const bool currents =
      std::any_of(recordings.logs.begin(),
                  recordings.logs.end(),
                  [](const OpenedLog& log) { return log.holdsCurrents(); }) ||
      std::any_of(recordings.pools.begin(),
                  recordings.pools.end(),
                  [](const PooledStatistics& pool) { return pool.data->currents; });
  if (currents) return found.gains.of_currents;
  return Eigen::VectorXd::Constant(recordings.robot->numJoints(), std::nan(""));
}

}  // namespace

Model assembleModel(const Results& found) {
  Model model;
  model.robot = found.recordings.robot;
  model.layout = found.regression.layout();
  model.equations = found.settings.equations;
  model.consistency = found.fit.consistent.result;
  model.prior_source = found.fit.consistent.prior_source;
  model.signals = signalSettings(found);
  model.drive_gains = driveGains(found);
  model.drive_gain_std_dev = found.gains.std_dev;
  model.scale_known = found.gains.scale_known;
  if (!model.scale_known) model.effort_unit = "A";
  model.parameters = found.fit.parameters;
  addBaseParameters(found, model);
  for (const Payload& payload : found.regression.payloads) {
    PayloadModel model_payload;
    model_payload.name = payload.name;
    model_payload.link = payload.link;
    model_payload.parameters = model.parameters.segment<10>(payload.placement.first_column);
    model.payloads.push_back(model_payload);
  }
  addFit(found, model);
  model.fit.per_sensor =
      sensorFits(found.recordings, found.regression, found.score, model.parameters);
  addPrice(found, model);
  addAgreement(found, model);
  addVerdicts(found, model);
  addHeadline(found.cutoffs, model);
  addProvenance(found, model);
  model.status = statusOfFit(found);
  return model;
}

}  // namespace dynid
