#include "dynid/model/model_reader.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/dynamics/inner_numbers.h"
#include "dynid/dynamics/joint_effects.h"
#include "dynid/model/column_place.h"
#include "dynid/model/fit_json.h"
#include "dynid/model/read_signals.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/root_body.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace dynid {
namespace {

/// The enumeration value whose name is at `place`.
template <typename T>
T named(const JsonPlace& place, const std::vector<T>& values) {
  const std::string name = place.text();
  std::vector<std::string> names;
  for (const T value : values) {
    if (name == toString(value)) return value;
    names.emplace_back(toString(value));
  }
  place.fail("is \"" + name + "\"" + didYouMean(name, names) + " (one of: " + join(names) + ")");
}

ParameterVerdict readVerdict(const JsonPlace& place) {
  ParameterVerdict verdict;
  verdict.identifiability = named<Identifiability>(
      place.at("verdict"),
      {Identifiability::kAlone, Identifiability::kCombination, Identifiability::kNone});
  verdict.excitation = named<Excitation>(
      place.at("excitation"), {Excitation::kWell, Excitation::kBadly, Excitation::kNone});
  verdict.seen_in = place.at("seen_in").text();
  return verdict;
}

std::shared_ptr<const Robot> readRobot(const JsonPlace& place) {
  std::map<std::string, double> ignored;
  for (const auto& [joint, position] : place.at("ignored_joints").members())
    ignored[joint] = position.number();
  const JsonPlace texts = place.at("description");
  const std::string toml = texts.at("toml").text();
  const char* source = texts.find("mjcf") ? "mjcf" : "urdf";
  const std::string bodies = texts.at(source).text();
  const std::string sha = place.at("sha256").text();
  const std::string where = place.file() + ": /robot/description/";
  auto robot = std::make_shared<Robot>();
  try {
    *robot = parseRobot(toml, bodies, holding(ignored), where + "toml", where + source);
  } catch (const UsageError& error) {  // an ignored joint that the texts do not have
    place.at("ignored_joints").fail(error.what());
  }
  if (robot->sha256 != sha)
    place.at("sha256").fail("does not match the description in the model (" + robot->sha256 +
                            "): the texts were changed after identification, and the parameters "
                            "belong to another robot; identify again");
  std::vector<std::string> joints;
  for (const JsonPlace& joint : place.at("joints").elements()) joints.push_back(joint.text());
  if (joints != robot->jointNames())
    place.at("joints").fail("are " + join(joints) + "; the description has " +
                            join(robot->jointNames()));
  if (place.at("gravity").vector(3) != robot->gravity)
    place.at("gravity").fail("differs from the description's");
  return robot;
}

InertialParameters readInertial(const JsonPlace& place) {
  InertialParameters pi;
  pi(0) = place.at("mass").number();
  pi.segment<3>(1) = place.at("first_moment").vector(3);
  pi.segment<6>(4) = place.at("inertia").vector(6);
  if (!pi.allFinite()) place.fail("holds a number that is not finite");
  return pi;
}

Column readColumn(const JsonPlace& place, const Robot& robot, size_t payloads) {
  Column column;
  column.name = place.at("name").text();
  column.kind = named<ColumnKind>(place.at("kind"),
                                  {ColumnKind::kDriveInertia,
                                   ColumnKind::kFriction,
                                   ColumnKind::kPosition,
                                   ColumnKind::kPayload});
  column.owner = place.at("owner").integer();
  const size_t owners = column.kind == ColumnKind::kPayload ? payloads : robot.drives.size();
  if (column.owner < 0 || static_cast<size_t>(column.owner) >= owners)
    place.at("owner").fail(fmt::format("is {}; expected 0 to {} (excluded)", column.owner, owners));
  if (const auto component = place.find("component")) column.component = component->integer();
  if (column.kind == ColumnKind::kFriction)
    column.effect = named<FrictionEffect>(place.at("effect"), allFrictionEffects());
  if (const auto carrier = place.find("carrier")) {
    const std::string name = carrier->text();
    const auto body = std::find_if(
        robot.bodies.begin(), robot.bodies.end(), [&](const Body& b) { return b.name == name; });
    if (body == robot.bodies.end())
      carrier->fail("is \"" + name + "\", no moving link of the robot");
    column.carrier = static_cast<int>(body - robot.bodies.begin());
  }
  column.unit = place.at("unit").text();
  column.nonnegative = place.at("nonnegative").boolean();
  if (const auto at_joint = place.find("at_joint")) column.at_joint = at_joint->boolean();
  return column;
}

/// Collects the parameters in the order of the layout while the document is read.
struct Parameters {
  std::vector<double> values;
  std::vector<ParameterVerdict> verdicts;

  void add(double value, const std::optional<JsonPlace>& verdict) {
    values.push_back(value);
    if (verdict) verdicts.push_back(readVerdict(*verdict));
  }
};

void readLinks(const JsonPlace& links, Model& model, Parameters& parameters) {
  for (const Body& body : model.robot->bodies) {
    const JsonPlace link = links.at(body.name);
    const InertialParameters pi = readInertial(link);
    const std::optional<JsonPlace> verdicts = link.find("identifiability");
    for (size_t c = 0; c < 10; ++c)
      parameters.add(
          pi(c),
          verdicts ? std::optional(verdicts->at(std::string(kInertialNames[c]))) : std::nullopt);
  }
}

/// Checks that the description has the position effect to which the column belongs.
void checkPositionEffect(const JsonPlace& entry, const Robot& robot, const Column& column) {
  const std::vector<PositionEffect>& effects = robot.drives[column.owner].position_effects;
  const auto index = static_cast<size_t>(column.position_effect);
  if (column.position_effect < 0 || index >= effects.size())
    entry.fail(fmt::format("belongs to position effect {} of \"{}\"; the description has {}",
                           index + 1,
                           robot.drives[column.owner].name,
                           effects.size()));
  const auto terms = static_cast<int>(positionTerms(effects[index], false).size());
  if (column.component < 0 || column.component >= terms)
    entry.at("component")
        .fail(fmt::format("is {}; the effect has {} terms", column.component, terms));
}

/// Checks the numbers inside a friction term; `owner` holds those that differ from 0.
void checkInnerNumbers(const JsonPlace& owner, const ColumnPlace& place, const Column& column) {
  if (!column.isFriction()) return;
  if (!isUsableShape(column.effect, column.shape))
    owner.at(place.shape_key).fail(fmt::format("is {}; expected a positive number", column.shape));
  const auto check = [&](const std::string& key, double value) {
    if (!isUsableTransition(value))
      owner.at(key).fail(fmt::format("is {}; expected 0 or more", value));
  };
  check(place.presliding_key, column.presliding);
  check(place.smoothing_key, column.smoothing);
}

void readEffect(const JsonPlace& document,
                const JsonPlace& entry,
                Model& model,
                Column column,
                Parameters& parameters) {
  const std::string key = entry.at("key").text();
  const ColumnPlace place = columnPlace(*model.robot, column, key);
  const std::string usual_key = columnPlace(*model.robot, column).key;
  if (key != usual_key && key != column.name)
    entry.at("key").fail(
        fmt::format("is \"{}\"; expected \"{}\" or \"{}\", which belong to the name of the column",
                    key,
                    usual_key,
                    column.name));
  const JsonPlace owner = document.at(place.section).at(place.owner);
  if (column.effect == FrictionEffect::kStribeck || column.effect == FrictionEffect::kPresliding)
    column.shape = owner.at(place.shape_key).number();
  else if (const auto shape = owner.find(place.shape_key)) {
    if (column.kind == ColumnKind::kPosition)
      column.position_effect = shape->integer();
    else
      column.shape = shape->number();
  }
  if (const auto presliding = owner.find(place.presliding_key))
    column.presliding = presliding->number();
  if (const auto smoothing = owner.find(place.smoothing_key))
    column.smoothing = smoothing->number();
  checkInnerNumbers(owner, place, column);
  if (column.kind == ColumnKind::kPosition) checkPositionEffect(entry, *model.robot, column);
  const std::optional<JsonPlace> verdicts = owner.find("identifiability");
  parameters.add(owner.at(place.key).number(), verdicts ? verdicts->find(place.key) : std::nullopt);
  model.layout.append(std::move(column));
}

void readPayloadColumn(const JsonPlace& entry,
                       Model& model,
                       Column column,
                       Parameters& parameters) {
  if (column.component < 0 || column.component > 9)
    entry.at("component").fail(fmt::format("is {}; expected 0 to 9", column.component));
  const auto value = entry.find("value");
  const InertialParameters& pi = model.payloads[column.owner].parameters;
  parameters.add(value ? value->number() : pi(column.component), entry.find("identifiability"));
  model.layout.append(std::move(column));
}

void readParameters(const JsonPlace& document, Model& model) {
  Parameters parameters;
  model.layout = inertialLayout(*model.robot);
  readLinks(document.at("links"), model, parameters);
  for (const JsonPlace& entry : document.at("columns").elements()) {
    Column column = readColumn(entry, *model.robot, model.payloads.size());
    if (model.layout.find(column.name) >= 0)
      entry.at("name").fail("\"" + column.name + "\" stands twice");
    if (column.kind == ColumnKind::kPayload)
      readPayloadColumn(entry, model, std::move(column), parameters);
    else
      readEffect(document, entry, model, std::move(column), parameters);
  }
  model.parameters =
      Eigen::Map<const Eigen::VectorXd>(parameters.values.data(), std::ssize(parameters.values));
  if (!parameters.verdicts.empty() && parameters.verdicts.size() != parameters.values.size())
    document.at("links").fail("some parameters have an identifiability and others do not");
  model.verdicts = std::move(parameters.verdicts);
}

void readGains(const JsonPlace& document, Model& model) {
  const Robot& robot = *model.robot;
  const auto drives = std::ssize(robot.drives);
  model.drive_gains.setConstant(drives, std::numeric_limits<double>::quiet_NaN());
  for (int i = 0; i < std::ssize(robot.drives); ++i) {
    const JsonPlace section = document.at(robot.isCoupled(i) ? "actuators" : "joints");
    const JsonPlace entry = section.at(robot.drives[i].name);
    if (const auto gain = entry.find("drive_gain")) model.drive_gains(i) = gain->number();
    if (const auto std_dev = entry.find("drive_gain_std_dev")) {
      if (model.drive_gain_std_dev.size() == 0)
        model.drive_gain_std_dev.setConstant(drives, std::numeric_limits<double>::quiet_NaN());
      model.drive_gain_std_dev(i) = std_dev->number();
    }
  }
}

void readPayloads(const JsonPlace& place, Model& model) {
  for (const auto& [name, entry] : place.members())
    model.payloads.push_back({name, entry.at("link").text(), readInertial(entry)});
}

CombinationTerm readTerm(const JsonPlace& place, const ParameterLayout& layout) {
  const int column = place.at("index").integer();
  if (column < 0 || column >= layout.size())
    place.at("index").fail(fmt::format("is {}; expected 0 to {}", column, layout.size() - 1));
  if (place.at("name").text() != layout[column].name)
    place.at("name").fail(fmt::format(
        "is \"{}\"; parameter {} is \"{}\"", place.at("name").text(), column, layout[column].name));
  return {column, place.at("coefficient").number()};
}

void readBase(const JsonPlace& document, Model& model) {
  for (const JsonPlace& entry : document.at("base_parameters").elements()) {
    BaseParameterEstimate p;
    p.name = entry.at("name").text();
    p.expression = entry.at("expression").text();
    p.value = entry.at("value").anyNumber();
    const auto least_squares = entry.find("least_squares");
    p.least_squares = least_squares ? least_squares->anyNumber() : p.value;
    p.std_dev = entry.at("std_dev").numberOr(kInfinity);
    const std::vector<JsonPlace> interval = entry.at("interval_95").elements();
    if (interval.size() != 2)
      entry.at("interval_95").fail(fmt::format("has {} numbers; expected 2", interval.size()));
    p.lower_95 = interval[0].numberOr(-kInfinity);
    p.upper_95 = interval[1].numberOr(kInfinity);
    p.unit = entry.at("unit").text();
    if (const auto terms = entry.find("combination"))
      for (const JsonPlace& term : terms->elements())
        p.combination.push_back(readTerm(term, model.layout));
    model.base_parameters.push_back(std::move(p));
  }
  const JsonPlace covariance = document.at("covariance");
  const auto base = std::ssize(model.base_parameters);
  if (covariance.elements().empty()) return;
  const Eigen::MatrixXd matrix = covariance.matrix(base, base);
  model.base_covariance = matrix.array().isNaN().select(kInfinity, matrix);  // null: not bounded
}

LogComparison readAgreement(const JsonPlace& place) {
  LogComparison comparison;
  comparison.log = place.at("log").text();
  comparison.compared = place.at("compared").integer();
  comparison.ratio = place.at("ratio").anyNumber();
  comparison.outside = place.at("outside").anyNumber();
  comparison.differs = place.at("differs").boolean();
  for (const JsonPlace& entry : place.at("largest").elements())
    comparison.largest.push_back({entry.at("name").text(),
                                  entry.at("value").anyNumber(),
                                  entry.at("other_value").anyNumber(),
                                  entry.at("std_dev").anyNumber(),
                                  entry.at("deviations").anyNumber(),
                                  entry.at("significant").boolean()});
  for (const auto& [key, shares] :
       {std::pair{"apart", &comparison.apart}, std::pair{"residual", &comparison.residual}})
    if (const auto place_of_shares = place.find(key))
      for (const JsonPlace& share : place_of_shares->elements())
        shares->push_back(share.anyNumber());
  if (const auto split = place.find("split")) comparison.split = split->anyNumber();
  return comparison;
}

/// A figure that older files do not contain: NaN if it is missing.
double numberOrNaN(const std::optional<JsonPlace>& place) {
  return place ? place->anyNumber() : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> readTexts(const std::optional<JsonPlace>& place) {
  std::vector<std::string> texts;
  if (!place) return texts;
  for (const JsonPlace& entry : place->elements()) texts.push_back(entry.text());
  return texts;
}

ModelStatus readStatus(const JsonPlace& place, const Robot& robot) {
  ModelStatus status;
  status.usable = place.at("usable").boolean();
  status.reason = place.at("reason").text();
  status.reasons = readTexts(place.find("reasons"));
  status.reservations = readTexts(place.find("reservations"));
  status.assumptions = readTexts(place.find("assumptions"));
  const std::optional<JsonPlace> joints = place.find("joints");
  if (!joints || joints->members().empty()) return status;
  for (const Joint& joint : robot.joints) {
    const JsonPlace entry = joints->at(joint.name);
    status.joints.push_back({entry.at("usable").boolean(), readTexts(entry.find("reasons"))});
  }
  return status;
}

FitSummary readFit(const JsonPlace& place, const Robot& robot) {
  FitSummary fit;
  fit.samples = place.at("samples").anyNumber();
  fit.rows = place.at("rows").anyNumber();
  fit.condition_number = place.at("condition_number").numberOr(kInfinity);
  fit.relative_error = place.at("relative_error").anyNumber();
  fit.cross_validated_error = numberOrNaN(place.find("cross_validated_error"));
  fit.noise_floor = numberOrNaN(place.find("noise_floor"));
  fit.objective_unconstrained = place.at("objective_unconstrained").anyNumber();
  if (const auto agreement = place.find("log_agreement"))
    for (const JsonPlace& entry : agreement->elements())
      fit.log_agreement.push_back(readAgreement(entry));
  if (const auto halves = place.find("halves")) fit.halves = readAgreement(*halves);
  if (const auto sensors = place.find("per_sensor")) fit.per_sensor = readSensorFits(*sensors);
  const JsonPlace per_joint = place.at("per_joint");
  if (per_joint.members().empty()) return fit;
  for (const Joint& joint : robot.joints) {
    const JsonPlace entry = per_joint.at(joint.name);
    ChannelFit channel;
    channel.rmse = entry.at("rmse").anyNumber();
    channel.relative_error = entry.at("relative_error").anyNumber();
    channel.sigma = entry.at("sigma").anyNumber();
    channel.cross_validated_r2 = numberOrNaN(entry.find("cross_validated_r2"));
    channel.cross_validated_error = numberOrNaN(entry.find("cross_validated_error"));
    channel.noise_floor = numberOrNaN(entry.find("noise_floor"));
    if (const auto price = entry.find("price_of_physics"))
      channel.price_of_physics = price->anyNumber();
    if (const auto reason = entry.find("price_reason")) channel.price_reason = reason->text();
    channel.samples = entry.at("samples").anyNumber();
    fit.per_joint.push_back(channel);
  }
  return fit;
}

void readConsistency(const JsonPlace& place, Model& model) {
  model.consistency = readFitResult(place);
  const JsonPlace prior = place.at("prior");
  if (!prior.members().empty())
    for (const Body& body : model.robot->bodies)
      model.prior_source.push_back(prior.at(body.name).text());
  if (const auto shares = place.find("mass_from_data"))
    for (const auto& [link, share] : shares->members())
      model.consistency.mass_from_data.push_back(share.anyNumber());
  const std::optional<JsonPlace> certificate = place.find("certificate");
  model.has_certificate = certificate.has_value();
  if (certificate) model.consistency.certificate = readCertificate(*certificate);
}

OperatingPoints readOperatingPoints(const JsonPlace& place, Eigen::Index joints) {
  OperatingPoints points;
  points.q = place.at("position").matrix(-1, joints);
  points.dq = place.at("velocity").matrix(points.q.rows(), joints);
  points.ddq = place.at("acceleration").matrix(points.q.rows(), joints);
  points.measured = place.at("effort_measured").matrix(points.q.rows(), joints);
  points.predicted = place.at("effort_predicted").matrix(points.q.rows(), joints);
  for (const auto* numbers :
       {&points.q, &points.dq, &points.ddq, &points.measured, &points.predicted})
    if (!numbers->allFinite()) place.fail("holds a number that is not finite");
  constexpr double kLargestPosition = 1e6;  // [rad or m] far beyond that of any robot
  if (points.q.size() > 0 && points.q.cwiseAbs().maxCoeff() > kLargestPosition)
    place.at("position")
        .fail(
            "holds a position beyond 1e6 rad; the model was changed after "
            "identification: identify again");
  return points;
}

/// Columns of the log by name; an empty list stays empty.
std::vector<int> readColumns(const JsonPlace& place, const std::vector<std::string>& names) {
  std::vector<int> columns;
  for (const JsonPlace& entry : place.elements()) {
    const auto found = std::find(names.begin(), names.end(), entry.text());
    if (found == names.end())
      entry.fail("is \"" + entry.text() + "\"; expected one of " + join(names));
    columns.push_back(static_cast<int>(found - names.begin()));
  }
  if (!columns.empty() && columns.size() != names.size())
    place.fail("names " + std::to_string(columns.size()) + " columns; expected " +
               std::to_string(names.size()) + " or none");
  return columns;
}

// [actuators] NaN where an actuator is not named.
Eigen::VectorXd readNamedDelays(const JsonPlace& place, const Robot& robot) {
  Eigen::VectorXd delays = Eigen::VectorXd::Constant(std::ssize(robot.drives), std::nan(""));
  for (Eigen::Index a = 0; a < delays.size(); ++a)
    if (const auto delay = place.find(robot.drives[a].name)) delays(a) = delay->number();
  return delays;
}

LogAssumptions readAssumptions(const JsonPlace& place, const Robot& robot) {
  const std::vector<std::string> names = robot.logColumnNames();
  LogAssumptions assumptions;
  assumptions.texts = readTexts(place.at("texts"));
  LogCorrection& correction = assumptions.correction;
  correction.time_factor = place.at("time_factor").number();
  if (!(correction.time_factor > 0.0)) place.at("time_factor").fail("is not positive");
  correction.position_source = readColumns(place.at("position_source"), names);
  correction.position_factor = readPerActuator(place.at("position_factor"), robot);
  correction.position_shift = readPerActuator(place.at("position_shift"), robot);
  correction.velocity_factor = readPerActuator(place.find("velocity_factor"), robot);
  correction.effort_source = readColumns(place.at("effort_source"), names);
  correction.effort_factor = readPerActuator(place.at("effort_factor"), robot);
  return assumptions;
}

Provenance readProvenance(const JsonPlace& place, const Robot& robot) {
  Provenance provenance;
  provenance.dynid_version = place.at("dynid_version").text();
  provenance.command = place.at("command").text();
  for (const JsonPlace& entry : place.at("logs").elements()) {
    LogRecord log;
    log.file = entry.at("file").text();
    log.sha256 = entry.at("sha256").text();
    log.samples = entry.at("samples").anyNumber();
    log.used = entry.at("used").anyNumber();
    log.dropped = entry.at("dropped").anyNumber();
    if (const auto rows = entry.find("rows")) {  // models of earlier versions have none
      log.first_row = rows->vector(2)(0);
      log.end_row = rows->vector(2)(1);
    }
    if (const auto delay = entry.find("effort_delay")) log.effort_delay = delay->anyNumber();
    if (const auto std_dev = entry.find("effort_delay_std_dev"))
      log.effort_delay_std_dev = std_dev->anyNumber();
    if (const auto delays = entry.find("own_effort_delay"))
      log.own_effort_delay = readNamedDelays(*delays, robot);
    for (const JsonPlace& note : entry.at("notes").elements()) log.notes.push_back(note.text());
    if (const auto assumptions = entry.find("assumptions"))
      log.assumptions = readAssumptions(*assumptions, robot);
    provenance.logs.push_back(std::move(log));
  }
  for (const auto& [name, value] : place.at("settings").members())
    provenance.settings.emplace_back(name, value.text());
  return provenance;
}

}  // namespace

Model readModel(const JsonPlace& document) {
  Model model;
  model.robot = readRobot(document.at("robot"));
  model.status = readStatus(document.at("status"), *model.robot);
  if (document.at("links").find(model.robot->root_link))  // the root link was identified as a body
    model.robot = std::make_shared<const Robot>(withRootBody(*model.robot));
  model.equations = document.at("equations").text();
  model.effort_unit = document.at("effort_unit").text();
  model.scale_known = document.at("scale_known").boolean();
  model.signals = readSignals(document.at("signals"), *model.robot);
  readPayloads(document.at("payloads"), model);
  readParameters(document, model);
  readGains(document, model);
  readBase(document, model);
  model.fit = readFit(document.at("fit"), *model.robot);
  readConsistency(document.at("consistency"), model);
  if (const auto points = document.find("operating_points"))
    model.operating_points = readOperatingPoints(*points, model.robot->numJoints());
  model.provenance = readProvenance(document.at("provenance"), *model.robot);
  return model;
}

}  // namespace dynid
