#include "dynid/identification/assemble_model.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/estimation/covariance.h"
#include "dynid/identification/verdicts.h"
#include "dynid/statistics/body_statistics.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace dynid {
namespace {

constexpr double kNotIdentifiable = 0.3;  // cross-validated R2

LeastSquaresOptions fitOptions(const ModelParts& parts) {
  LeastSquaresOptions options;
  options.robust = parts.run->settings->robust;
  if (parts.equations.oneChannel()) return options;
  for (size_t a = 0; a < parts.run->robot->drives.size(); ++a) {
    bool presliding = false;
    for (const Column& column : parts.layout.columns())
      presliding |= column.kind == ColumnKind::kFriction && column.owner == static_cast<int>(a) &&
                    column.effect == FrictionEffect::kCoulomb && column.presliding > 0.0;
    options.use_still.push_back(presliding);
  }
  options.use_still.resize(parts.statistics->channels.size(), false);
  return options;
}

void addBaseParameters(const ModelParts& parts, Model& model) {
  const Covariance covariance =
      jackknifeCovariance(*parts.statistics, *parts.estimate, fitOptions(parts));
  model.base_covariance = covariance.matrix;
  const Eigen::MatrixXd combination = parts.base->combination();
  for (size_t i = 0; i < parts.base->independent.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    const Column& column = parts.layout[parts.base->independent[i]];
    BaseParameterEstimate estimate;
    estimate.name = column.name;
    estimate.expression = parts.base->expression(static_cast<int>(i), parts.layout);
    for (int c = 0; c < parts.base->columns; ++c)
      if (combination(k, c) != 0.0) estimate.combination.push_back({c, combination(k, c)});
    estimate.unit = column.unit;
    estimate.value = parts.estimate->beta(k);
    estimate.std_dev = covariance.std_dev(k);
    estimate.lower_95 = estimate.value - covariance.half_width(k);
    estimate.upper_95 = estimate.value + covariance.half_width(k);
    model.base_parameters.push_back(estimate);
  }
}

void addVerdicts(const ModelParts& parts, Model& model) {
  std::vector<Excitation> of_base;
  for (const BaseParameterEstimate& estimate : model.base_parameters)
    of_base.push_back(excitationOf(estimate.value, estimate.std_dev));
  model.verdicts = parameterVerdicts(*parts.base, parts.layout, of_base);
}

// Residual of the printed parameters over the moving rows, from the factors; joint side where there
// is no coupling.
void addFit(const ModelParts& parts, Model& model) {
  const Statistics& statistics = *parts.score;
  const Eigen::VectorXd beta = parts.base->combination() * model.parameters;
  const Eigen::VectorXd sigma =
      parts.score == parts.statistics
          ? parts.estimate->sigma
          : channelResidual(statistics, parts.base->independent, parts.estimate->beta);
  double residual = 0.0, measured = 0.0;
  for (int a = 0; a < parts.run->robot->numJoints(); ++a) {  // those of body sensors come after
    const ChannelStatistics& channel = statistics.channels[static_cast<size_t>(a)];
    const auto shared = sharedColumns(channel, parts.base->independent);
    double squared = 0.0, effort = 0.0, rows = 0.0;
    for (const TriangularFactor& factor : channel.moving) {
      if (factor.rows() == 0.0) continue;
      const Eigen::Index last = factor.columns() - 1;
      Eigen::VectorXd r = -factor.R().col(last);
      for (const auto& [to, from] : shared) r += factor.R().col(from) * beta(to);
      squared += r.squaredNorm();
      effort += factor.R().col(last).squaredNorm();
      rows += factor.rows();
    }
    ChannelFit fit;
    fit.samples = rows;
    fit.sigma = sigma(a);
    fit.rmse = rows > 0.0 ? std::sqrt(squared / rows) : 0.0;
    if (!model.scale_known) {  // the factor is unknown: errors in amperes
      fit.rmse /= std::abs(model.drive_gains(a));
      fit.sigma /= std::abs(model.drive_gains(a));
    }
    fit.relative_error = effort > 0.0 ? std::sqrt(squared / effort) : 0.0;
    fit.cross_validated_r2 = parts.cutoffs->r2(a);
    model.fit.per_joint.push_back(fit);
    residual += squared;
    measured += effort;
  }
  model.fit.relative_error = measured > 0.0 ? std::sqrt(residual / measured) : 0.0;
  model.fit.rows = parts.estimate->rows;
  model.fit.condition_number = parts.estimate->condition_number;
  model.fit.objective_unconstrained =
      0.5 * ((parts.estimate->R * parts.estimate->beta - parts.estimate->z).squaredNorm() +
             parts.estimate->residual_squared);
  for (const LogRun& log : parts.run->logs) model.fit.samples += log.used;
  for (const GatheredRun& gathered : parts.run->gathered)
    for (const GatheredLog& log : gathered.data->logs) model.fit.samples += log.used;
}

void addProvenance(const ModelParts& parts, Model& model) {
  for (const GatheredRun& gathered : parts.run->gathered)
    for (const GatheredLog& log : gathered.data->logs) {
      LogRecord record{log.file, log.sha256, log.samples, log.used, log.dropped, {}};
      std::istringstream notes(log.notes);
      for (std::string note; std::getline(notes, note);) record.notes.push_back(note);
      model.provenance.logs.push_back(record);
    }
  for (size_t i = 0; i < parts.run->logs.size(); ++i) {
    const LogRun& log = parts.run->logs[i];
    LogRecord record;
    record.file = log.source->input().path.string();
    record.sha256 = parts.run->log_digests->of(i);
    record.samples = static_cast<double>(log.counts.read);
    record.used = log.used;
    record.dropped = static_cast<double>(log.counts.read - log.counts.kept);
    record.notes = logNotes(log);
    model.provenance.logs.push_back(record);
  }
  const IdentificationSettings& settings = *parts.run->settings;
  model.provenance.settings = {{"cutoff", toText(model.signals.cutoff_hz) + " Hz"},
                               {"filter-order", std::to_string(model.signals.filter_order)},
                               {"still-speed", toText(settings.still_speed)},
                               {"robust", settings.robust ? "on" : "off"},
                               {"margin", toText(settings.margin)},
                               {"second-stage", settings.second_stage ? "on" : "off"},
                               {"blocks", std::to_string(parts.statistics->numBlocks())},
                               {"equations", settings.equations}};
  std::vector<std::string> bodies;
  for (const BodySensor& sensor : distinctSensors(parts.run->sensors_of_log))
    bodies.push_back(sensor.link);
  if (parts.equations.with_base) bodies.emplace_back("base");
  if (!bodies.empty()) model.provenance.settings.emplace_back("bodies", join(bodies));
}

ModelStatus judge(const ModelParts& parts, const Model& model) {
  if (!parts.estimate->reason.empty()) return {false, parts.estimate->reason};
  if (!parts.fit->result.feasible || !parts.fit->result.converged)
    return {false, "the physically consistent fit failed: " + parts.fit->result.reason};
  if (!parts.run->gains_converged)
    return {false, "the drive gains did not settle; give drive_gain in the robot description"};
  if (!model.scale_known)
    return {true,
            "no drive gain is known: ratios between joints come from the shared parameters, the "
            "common scale is "
            "unobservable; link parameters carry one unknown factor and errors are in A (a log "
            "with a known load, "
            "or one drive_gain, fixes the scale)"};
  std::vector<std::string> weak;
  for (size_t a = 0; a < model.fit.per_joint.size(); ++a)
    if (model.fit.per_joint[a].cross_validated_r2 < kNotIdentifiable)
      weak.push_back(model.robot->drives[a].name);
  if (!weak.empty())
    return {true,
            "not identifiable from these logs: the effort of " + join(weak) +
                " (cross-validated R2 below 0.3); other joints are not affected"};
  std::vector<std::string> silent;
  for (const BaseParameterEstimate& estimate : model.base_parameters)
    if (!std::isfinite(estimate.std_dev)) silent.push_back(estimate.name);
  if (!silent.empty())
    return {true,
            "the logs say nothing about " + join(silent) + "; their values come from the prior"};
  return {true, ""};
}

}  // namespace

Model assembleModel(const ModelParts& parts) {
  Model model;
  model.robot = parts.run->robot;
  model.layout = parts.layout;
  model.equations = parts.run->settings->equations;
  model.consistency = parts.fit->result;
  model.prior_source = parts.fit->prior_source;
  if (!parts.run->logs.empty()) {
    model.signals.cutoff_hz = parts.run->logs.front().source->plan().cutoff_hz;
    model.signals.filter_order = parts.run->logs.front().source->plan().filter_order;
  } else {
    const GatheredStatistics& gathered = *parts.run->gathered.front().data;
    model.signals.cutoff_hz = gathered.logs.front().cutoff_hz;
    model.signals.filter_order = gathered.filter_order;
  }
  model.signals.still_speed = parts.run->settings->still_speed;
  model.signals.rigid_cutoff_hz = parts.cutoffs->rigid;
  model.signals.friction_cutoff_hz = parts.cutoffs->friction;
  model.drive_gains = Eigen::VectorXd::Constant(parts.run->robot->numJoints(), std::nan(""));
  for (const LogRun& log : parts.run->logs)
    if (log.source->info().effort_kind == EffortKind::kCurrent) model.drive_gains = log.to_effort;
  for (const GatheredRun& gathered : parts.run->gathered)
    if (gathered.data->currents) model.drive_gains = gathered.to_effort;
  model.drive_gain_std_dev = parts.run->gain_std_dev;
  model.scale_known = parts.run->scale_known;
  if (!model.scale_known) model.effort_unit = "A";
  addBaseParameters(parts, model);
  addVerdicts(parts, model);
  if (parts.fit->parameters.size() > 0) {
    model.parameters = parts.fit->parameters;
  } else {  // said in the status; least squares is what there is to look at
    model.parameters = Eigen::VectorXd::Zero(parts.layout.size());
    for (size_t i = 0; i < parts.base->independent.size(); ++i)
      model.parameters(parts.base->independent[i]) =
          parts.estimate->beta(static_cast<Eigen::Index>(i));
  }
  for (const Payload& payload : parts.run->payloads.payloads) {
    PayloadModel own;
    own.name = payload.name;
    own.link = payload.link;
    own.parameters = model.parameters.segment<10>(payload.placement.first_column);
    model.payloads.push_back(own);
  }
  addFit(parts, model);
  addProvenance(parts, model);
  model.status = judge(parts, model);
  return model;
}

}  // namespace dynid
