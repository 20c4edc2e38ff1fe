#include "dynid/model/model_writer.h"

#include "dynid/model/column_place.h"
#include "dynid/model/fit_json.h"
#include "dynid/model/robot_json.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <fmt/format.h>
#include <set>
#include <stdexcept>

namespace dynid {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw std::invalid_argument("the model cannot be written: " + message);
}

void checkSizes(const Model& model) {
  model.check();
  const Robot& robot = *model.robot;
  const int n = model.layout.size();
  for (int i = 0; i < n; ++i)
    if (!std::isfinite(model.parameters(i)))
      refuse(fmt::format("the parameter \"{}\" is {}; expected a finite number",
                         model.layout[i].name,
                         model.parameters(i)));
  if (const Eigen::VectorXd& ramp = model.signals.ramp_speed; !(ramp.array() >= 0.0).all())
    refuse("`ramp_speed` has a negative speed or NaN; expected 0 or more, in rad/s or m/s");
  if (!model.verdicts.empty() && static_cast<int>(model.verdicts.size()) != n)
    refuse(fmt::format(
        "got {} verdicts for {} columns; expected one each, or none", model.verdicts.size(), n));
  const ParameterLayout inertial = inertialLayout(robot);
  for (int i = 0; i < inertial.size(); ++i)
    if (i >= n || model.layout[i].kind != ColumnKind::kInertial ||
        model.layout[i].name != inertial[i].name)
      refuse(fmt::format("column {} is not {}; expected the inertial columns of all bodies first",
                         i,
                         inertial[i].name));
  if (!model.status.joints.empty() && model.status.joints.size() != robot.joints.size())
    refuse(fmt::format("got the status of {} joints; expected {}",
                       model.status.joints.size(),
                       robot.joints.size()));
  if (!model.fit.per_joint.empty() && model.fit.per_joint.size() != robot.joints.size())
    refuse(fmt::format("got fits of {} joints; expected {} or none",
                       model.fit.per_joint.size(),
                       robot.joints.size()));
  if (!model.prior_source.empty() && model.prior_source.size() != robot.bodies.size())
    refuse(fmt::format("got prior sources of {} bodies; expected {} or none",
                       model.prior_source.size(),
                       robot.bodies.size()));
  const auto base = std::ssize(model.base_parameters);
  if (model.base_covariance.size() != 0 &&
      (model.base_covariance.rows() != base || model.base_covariance.cols() != base))
    refuse(fmt::format(
        "got a covariance of {} rows; expected {} or none", model.base_covariance.rows(), base));
}

Json verdictJson(const ParameterVerdict& verdict) {
  return {{"verdict", toString(verdict.identifiability)},
          {"excitation", toString(verdict.excitation)},
          {"seen_in", verdict.seen_in}};
}

Json robotJson(const Robot& robot) {
  Json ignored = Json::object();
  for (const auto& [joint, value] : robot.ignored_joints) ignored[joint] = jsonNumber(value);
  return {{"name", robot.name},
          {"description",
           {{"toml", robot.description_text},
            {robot.bodySource(), robot.mjcf_text.empty() ? robot.urdf_text : robot.mjcf_text}}},
          {"sha256", robot.sha256},
          {"joints", robot.jointNames()},
          {"gravity", jsonVector(robot.gravity)},
          {"ignored_joints", ignored},
          {"bodies", bodiesJson(robot)},
          {"transmission", transmissionJson(robot)}};
}

Json combinationJson(const Model& model, const BaseParameterEstimate& parameter) {
  Json terms = Json::array();
  for (const CombinationTerm& term : parameter.combination) {
    if (term.column < 0 || term.column >= model.layout.size())
      refuse(fmt::format("base parameter {} names column {}; expected 0 to {}",
                         parameter.name,
                         term.column,
                         model.layout.size() - 1));
    terms.push_back({{"index", term.column},
                     {"name", model.layout[term.column].name},
                     {"coefficient", jsonNumber(term.coefficient)}});
  }
  return terms;
}

Json baseParametersJson(const Model& model) {
  Json list = Json::array();
  for (const BaseParameterEstimate& p : model.base_parameters)
    list.push_back({{"name", p.name},
                    {"expression", p.expression},
                    {"value", jsonNumber(p.value)},
                    {"least_squares", jsonNumber(p.least_squares)},
                    {"std_dev", jsonNumber(p.std_dev)},
                    {"relative_std_dev", jsonNumber(p.relativeStdDev())},
                    {"interval_95", {jsonNumber(p.lower_95), jsonNumber(p.upper_95)}},
                    {"unit", p.unit},
                    {"combination", combinationJson(model, p)}});
  return list;
}

/// mass, first_moment, inertia about the link frame's origin.
Json inertialJson(const InertialParameters& pi) {
  return {{"mass", jsonNumber(pi(0))},
          {"first_moment", jsonVector(pi.segment<3>(1))},
          {"inertia", jsonVector(pi.segment<6>(4))}};
}

Json linksJson(const Model& model) {
  Json links = Json::object();
  for (int k = 0; k < model.robot->numBodies(); ++k) {
    Json link = inertialJson(model.body(k));
    link["pseudo_inertia_min_eigenvalue"] = jsonNumber(smallestPseudoEigenvalue(model.body(k)));
    if (!model.verdicts.empty()) {
      Json& verdicts = link["identifiability"] = Json::object();
      for (size_t c = 0; c < 10; ++c)
        verdicts[std::string(kInertialNames[c])] = verdictJson(model.verdicts[10 * k + c]);
    }
    links[model.robot->bodies[k].name] = std::move(link);
  }
  return links;
}

/// The places of the columns after the inertial ones (payload columns have none). The key is the
/// plain name of the effect for its first variant, and the full name for further variants.
std::vector<ColumnPlace> effectPlaces(const Model& model) {
  std::set<std::string> taken;
  std::vector<ColumnPlace> places;
  for (int i = 10 * model.robot->numBodies(); i < model.layout.size(); ++i) {
    const Column& column = model.layout[i];
    if (column.kind == ColumnKind::kPayload) {
      places.emplace_back();
      continue;
    }
    ColumnPlace place = columnPlace(*model.robot, column);
    if (!taken.insert(place.owner + "\n" + place.key).second)
      place = columnPlace(*model.robot, column, column.name);
    if (!taken.insert(place.owner + "\n" + place.key + "\n").second)
      refuse("column " + column.name + " stands twice");
    places.push_back(std::move(place));
  }
  return places;
}

/// Writes the values of all joint effects at their places in "joints" and "actuators" of
/// `document`.
void writeEffects(const Model& model, const std::vector<ColumnPlace>& places, Json& document) {
  const Robot& robot = *model.robot;
  document["joints"] = Json::object();
  for (int i = 0; i < std::ssize(robot.drives); ++i) {
    const bool coupled = robot.isCoupled(i);
    if (coupled && !document.contains("actuators")) document["actuators"] = Json::object();
    Json& entry = document[coupled ? "actuators" : "joints"][robot.drives[i].name];
    entry = Json::object();
    const bool known = model.drive_gains.size() == std::ssize(robot.drives);
    entry["drive_gain"] = known ? jsonNumber(model.drive_gains(i)) : Json(nullptr);
    if (model.drive_gain_std_dev.size() == std::ssize(robot.drives))
      entry["drive_gain_std_dev"] = jsonNumber(model.drive_gain_std_dev(i));
  }
  const int first = 10 * robot.numBodies();
  for (int i = first; i < model.layout.size(); ++i) {
    const Column& column = model.layout[i];
    const ColumnPlace& place = places[i - first];
    if (column.kind == ColumnKind::kPayload) continue;
    Json& entry = document[place.section][place.owner];
    entry[place.key] = jsonNumber(model.parameters(i));
    if (column.shape != 0.0) entry[place.shape_key] = jsonNumber(column.shape);
    if (column.position_effect != 0) entry[place.shape_key] = jsonNumber(column.position_effect);
    if (column.presliding != 0.0) entry[place.presliding_key] = jsonNumber(column.presliding);
    if (column.smoothing != 0.0) entry[place.smoothing_key] = jsonNumber(column.smoothing);
  }
  if (model.verdicts.empty()) return;
  for (int i = first; i < model.layout.size(); ++i) {
    const ColumnPlace& place = places[i - first];
    if (model.layout[i].kind != ColumnKind::kPayload)
      document[place.section][place.owner]["identifiability"][place.key] =
          verdictJson(model.verdicts[i]);
  }
}

/// Adds the properties of a payload's column that `payloads` does not contain.
void addPayloadColumn(const Model& model, int i, Json& entry) {
  const Column& column = model.layout[i];
  if (column.carrier >= 0) entry["carrier"] = model.robot->bodies.at(column.carrier).name;
  const auto owner = static_cast<size_t>(column.owner);
  if (owner >= model.payloads.size() || column.component < 0 || column.component > 9)
    refuse("column " + column.name + " belongs to no payload of the model");
  if (model.payloads[owner].parameters(column.component) != model.parameters(i))
    entry["value"] = jsonNumber(model.parameters(i));
  if (!model.verdicts.empty()) entry["identifiability"] = verdictJson(model.verdicts[i]);
}

/// The columns after the inertial ones, in order.
Json columnsJson(const Model& model, const std::vector<ColumnPlace>& places) {
  Json list = Json::array();
  const int first = 10 * model.robot->numBodies();
  for (int i = first; i < model.layout.size(); ++i) {
    const Column& column = model.layout[i];
    Json entry = {{"name", column.name},
                  {"index", i},
                  {"kind", toString(column.kind)},
                  {"owner", column.owner}};
    if (column.kind != ColumnKind::kPayload) {
      const ColumnPlace& place = places[i - first];
      entry["key"] = place.key;
      entry["at"] = {place.section, place.owner, place.key};
    }
    if (column.component != 0) entry["component"] = column.component;
    if (column.kind == ColumnKind::kFriction) entry["effect"] = toString(column.effect);
    entry["unit"] = column.unit;
    entry["nonnegative"] = column.nonnegative;
    if (column.at_joint) entry["at_joint"] = true;
    if (column.kind == ColumnKind::kPosition)
      entry["position_effect"] = positionEffectJson(positionEffect(*model.robot, column));
    if (column.kind == ColumnKind::kPayload) addPayloadColumn(model, i, entry);
    list.push_back(std::move(entry));
  }
  return list;
}

Json payloadsJson(const Model& model) {
  Json payloads = Json::object();
  for (const PayloadModel& payload : model.payloads) {
    if (payloads.contains(payload.name)) refuse("two payloads are named \"" + payload.name + "\"");
    Json entry = {{"link", payload.link}};
    entry.update(inertialJson(payload.parameters));
    payloads[payload.name] = std::move(entry);
  }
  return payloads;
}

Json agreementJson(const LogComparison& comparison) {
  Json largest = Json::array();
  for (const ParameterComparison& p : comparison.largest)
    largest.push_back({{"name", p.name},
                       {"value", jsonNumber(p.value)},
                       {"other_value", jsonNumber(p.other_value)},
                       {"std_dev", jsonNumber(p.std_dev)},
                       {"deviations", jsonNumber(p.deviations)},
                       {"significant", p.significant}});
  Json json = {{"log", comparison.log},
               {"compared", comparison.compared},
               {"ratio", jsonNumber(comparison.ratio)},
               {"outside", jsonNumber(comparison.outside)},
               {"differs", comparison.differs},
               {"largest", largest}};
  if (!comparison.apart.empty()) {
    json["apart"] = comparison.apart;
    json["residual"] = comparison.residual;
  }
  if (comparison.split > 0.0) json["split"] = comparison.split;
  return json;
}

Json statusJson(const Model& model) {
  const ModelStatus& status = model.status;
  Json joints = Json::object();
  for (size_t j = 0; j < status.joints.size(); ++j)
    joints[model.robot->joints[j].name] = {{"usable", status.joints[j].usable},
                                           {"reasons", status.joints[j].reasons}};
  return {{"usable", status.usable},
          {"reason", status.reason},
          {"reasons", status.reasons},
          {"reservations", status.reservations},
          {"assumptions", status.assumptions},
          {"joints", joints}};
}

Json fitJson(const Model& model) {
  Json agreement = Json::array();
  for (const LogComparison& comparison : model.fit.log_agreement)
    agreement.push_back(agreementJson(comparison));
  Json per_joint = Json::object();
  for (size_t j = 0; j < model.fit.per_joint.size(); ++j) {
    const ChannelFit& channel = model.fit.per_joint[j];
    per_joint[model.robot->joints[j].name] = {
        {"rmse", jsonNumber(channel.rmse)},
        {"relative_error", jsonNumber(channel.relative_error)},
        {"sigma", jsonNumber(channel.sigma)},
        {"cross_validated_r2", jsonNumber(channel.cross_validated_r2)},
        {"price_of_physics", jsonNumber(channel.price_of_physics)},
        {"price_reason", channel.price_reason},
        {"cross_validated_error", jsonNumber(channel.cross_validated_error)},
        {"noise_floor", jsonNumber(channel.noise_floor)},
        {"samples", jsonCount(channel.samples)}};
  }
  Json fit = {{"samples", jsonCount(model.fit.samples)},
              {"rows", jsonCount(model.fit.rows)},
              {"condition_number", jsonNumber(model.fit.condition_number)},
              {"relative_error", jsonNumber(model.fit.relative_error)},
              {"cross_validated_error", jsonNumber(model.fit.cross_validated_error)},
              {"noise_floor", jsonNumber(model.fit.noise_floor)},
              {"objective_unconstrained", jsonNumber(model.fit.objective_unconstrained)},
              {"log_agreement", agreement},
              {"per_joint", per_joint}};
  if (!model.fit.per_sensor.empty()) fit["per_sensor"] = writeSensorFits(model.fit.per_sensor);
  if (model.fit.halves) fit["halves"] = agreementJson(*model.fit.halves);
  return fit;
}

Json consistencyJson(const Model& model) {
  Json result = writeFitResult(model.consistency);
  result["prior"] = Json::object();
  for (size_t k = 0; k < model.prior_source.size(); ++k)
    result["prior"][model.robot->bodies[k].name] = model.prior_source[k];
  result["mass_from_data"] = Json::object();
  for (size_t k = 0; k < model.robot->bodies.size(); ++k)
    if (k < model.consistency.mass_from_data.size())
      result["mass_from_data"][model.robot->bodies[k].name] =
          jsonNumber(model.consistency.mass_from_data[k]);
  if (model.has_certificate)
    result["certificate"] = writeCertificate(model.consistency.certificate);
  return result;
}

/// Columns by name.
Json columnNamesJson(const std::vector<int>& columns, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const int column : columns) list.push_back(names[column]);
  return list;
}

Json assumptionsJson(const LogAssumptions& assumptions, const Robot& robot) {
  const LogCorrection& correction = assumptions.correction;
  const std::vector<std::string> names = robot.logColumnNames();
  return {{"texts", assumptions.texts},
          {"time_factor", jsonNumber(correction.time_factor)},
          {"position_source", columnNamesJson(correction.position_source, names)},
          {"position_factor", jsonVector(correction.position_factor)},
          {"position_shift", jsonVector(correction.position_shift)},
          {"velocity_factor", jsonVector(correction.velocity_factor)},
          {"effort_source", columnNamesJson(correction.effort_source, names)},
          {"effort_factor", jsonVector(correction.effort_factor)}};
}

// One number for all actuators where they have the same delay.
Json delayJson(const Eigen::VectorXd& delays) {
  if (delays.size() == 0) return 0.0;
  if (delays.isConstant(delays(0), 0.0)) return delays(0);
  return jsonVector(delays);
}

Json provenanceJson(const Provenance& provenance, const Robot& robot) {
  Json logs = Json::array();
  for (const LogRecord& log : provenance.logs) {
    logs.push_back({{"file", log.file},
                    {"sha256", log.sha256},
                    {"samples", jsonCount(log.samples)},
                    {"used", jsonCount(log.used)},
                    {"dropped", jsonCount(log.dropped)},
                    {"rows", {jsonCount(log.first_row), jsonCount(log.end_row)}},
                    {"effort_delay", jsonNumber(log.effort_delay)},
                    {"effort_delay_std_dev", jsonNumber(log.effort_delay_std_dev)},
                    {"notes", log.notes}});
    for (Eigen::Index a = 0; a < log.own_effort_delay.size(); ++a)
      if (std::isfinite(log.own_effort_delay(a)))
        logs.back()["own_effort_delay"][robot.drives[a].name] = log.own_effort_delay(a);
    if (!log.assumptions.texts.empty())
      logs.back()["assumptions"] = assumptionsJson(log.assumptions, robot);
  }
  Json settings = Json::object();
  for (const auto& [name, value] : provenance.settings) settings[name] = value;
  return {{"dynid_version", provenance.dynid_version},
          {"command", provenance.command},
          {"logs", logs},
          {"settings", settings}};
}

}  // namespace

Json writeModel(const Model& model) {
  checkSizes(model);
  Json document = {{"format", "dynid-model"}, {"version", 1}};
  document["status"] = statusJson(model);
  document["robot"] = robotJson(*model.robot);
  document["equations"] = model.equations;
  document["effort_unit"] = model.effort_unit;
  document["scale_known"] = model.scale_known;
  document["signals"] = {{"cutoff_hz", jsonNumber(model.signals.cutoff_hz)},
                         {"filter_order", model.signals.filter_order},
                         {"still_speed", jsonNumber(model.signals.still_speed)},
                         {"ramp_speed", jsonVector(model.signals.ramp_speed)},
                         {"motion", model.signals.motion},
                         {"effort_delay", delayJson(model.signals.effort_delay)},
                         {"rigid_cutoff_hz", jsonVector(model.signals.rigid_cutoff_hz)},
                         {"friction_cutoff_hz", jsonVector(model.signals.friction_cutoff_hz)}};
  document["links"] = linksJson(model);
  const std::vector<ColumnPlace> places = effectPlaces(model);
  writeEffects(model, places, document);
  document["columns"] = columnsJson(model, places);
  document["payloads"] = payloadsJson(model);
  document["base_parameters"] = baseParametersJson(model);
  document["covariance"] = jsonMatrix(model.base_covariance);
  document["fit"] = fitJson(model);
  document["consistency"] = consistencyJson(model);
  document["operating_points"] = {
      {"position", jsonMatrix(model.operating_points.q)},
      {"velocity", jsonMatrix(model.operating_points.dq)},
      {"acceleration", jsonMatrix(model.operating_points.ddq)},
      {"effort_measured", jsonMatrix(model.operating_points.measured)},
      {"effort_predicted", jsonMatrix(model.operating_points.predicted)}};
  document["provenance"] = provenanceJson(model.provenance, *model.robot);
  return document;
}

}  // namespace dynid
