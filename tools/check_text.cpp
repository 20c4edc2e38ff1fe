#include "check_text.h"

#include "dynid/core/text.h"
#include "dynid/model/column_place.h"
#include "dynid/robot/driven_joints.h"

#include "console.h"
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace dynid::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string positionText(const JointLimits& limits, const std::string& unit) {
  const bool has_lower = std::isfinite(limits.lower), has_upper = std::isfinite(limits.upper);
  if (!has_lower && !has_upper) return "no position limit";
  if (!has_upper) return toText(limits.lower, 4) + " " + unit + " .. no upper limit";
  return (has_lower ? toText(limits.lower, 4) : "no lower limit") + " .. " +
         toText(limits.upper, 4) + " " + unit;
}

std::string limitText(const Joint& joint) {
  const std::string unit = joint.prismatic ? "m" : "rad";
  std::string text = positionText(joint.limits, unit);
  if (std::isfinite(joint.limits.velocity))
    text += ", " + toText(joint.limits.velocity, 4) + " " + unit + "/s";
  if (std::isfinite(joint.limits.effort))
    text += ", " + toText(joint.limits.effort, 4) + (joint.prismatic ? " N" : " N m");
  return text;
}

std::string kindOf(Loop::Type type) {
  switch (type) {
    case Loop::Type::kRevolute:
      return "revolute";
    case Loop::Type::kPrismatic:
      return "prismatic";
    case Loop::Type::kSpherical:
      return "spherical";
    case Loop::Type::kFixed:
      break;
  }
  return "fixed";
}

std::string structureText(const Robot& robot) {
  const size_t joints = robot.joints.size(), bodies = robot.bodies.size();
  std::string text = robot.name + ": " + std::to_string(joints) +
                     (joints == 1 ? " joint, " : " joints, ") + std::to_string(bodies) +
                     (bodies == 1 ? " moving body" : " moving bodies") +
                     (robot.floating_base ? ", floating base" : "") + ", root link " +
                     robot.root_link + ", gravity (" + toText(robot.gravity.x()) + ", " +
                     toText(robot.gravity.y()) + ", " + toText(robot.gravity.z()) + ") m/s^2\n";
  for (const Joint& joint : robot.joints)
    text += "  " + padded(joint.name, 24) +
            padded(joint.prismatic    ? "prismatic"
                   : joint.continuous ? "continuous"
                                      : "revolute",
                   12) +
            "moves " + robot.bodies[joint.body].name + ", " + limitText(joint) + "\n";
  for (const Body& body : robot.bodies)
    if (robot.treeJoint(body.joint).name != body.joint_name)
      text +=
          "  " + padded(body.joint_name, 24) + "mimics " + robot.treeJoint(body.joint).name + "\n";
  for (size_t j = 0; j < robot.passive_joints.size(); ++j)
    text += "  " + padded(robot.passive_joints[j].name, 24) + "passive, assembled at " +
            toText(robot.assembly(robot.numJoints() + j), 4) + "\n";
  const std::string chosen = chosenDrivenJoints(robot);
  if (!chosen.empty())
    text += "  note: no joint of the loops says passive = true; these are taken to have motors: " +
            chosen + "\n";
  for (const Loop& loop : robot.loops)
    text += "  " + padded("loop", 24) + loop.name + ", " + kindOf(loop.type) + "\n";
  for (const auto& [joint, value] : robot.ignored_joints)
    text += "  " + padded(joint, 24) + "held at " + toText(value) + "\n";
  return text;
}

std::string plausibilityText(const RobotCheck& check) {
  if (check.plausibility.empty()) return "inertias: the description gives none\n";
  std::string text = "inertias of the description\n";
  for (const Plausibility& link : check.plausibility) {
    text += "  " + padded(link.name, 24) + padded(toText(link.mass, 4) + " kg", 12) +
            (!link.physical          ? "impossible"
             : link.problems.empty() ? "possible"
                                     : "possible, but") +
            "\n";
    for (const std::string& problem : link.problems) text += "      " + problem + "\n";
  }
  return text;
}

std::string timeText(double nanoseconds) {
  return nanoseconds < 1e4 ? toText(nanoseconds / 1e3, 2) + " us"
                           : toText(std::round(nanoseconds / 1e3), 6) + " us";
}

std::string formulationsText(const std::vector<FormulationAgreement>& formulations) {
  std::string text =
      "formulations                        computes       disagreement  tolerance  time, each "
      "against "
      "the projection method\n";
  for (const FormulationAgreement& row : formulations) {
    text += "  " + padded(row.name, 34) + padded(toString(row.computes), 15);
    text += row.applies ? padded(toText(row.max_relative_disagreement, 2), 14) +
                              padded(toText(row.tolerance, 2), 11) + timeText(row.nanoseconds)
                        : "does not apply: " + row.reason;
    text += row.agrees() ? "\n" : "  DISAGREES\n";
  }
  return text;
}

Json identifiabilityJson(const RobotCheck& check) {
  Json json = Json::object();
  for (size_t k = 0; k < check.bodies.size(); ++k)
    for (size_t c = 0; c < 10; ++c)
      json[check.bodies[k]][std::string(kInertialNames[c])] =
          toString(check.identifiability[10 * k + c]);
  return json;
}

Json plausibilityJson(const RobotCheck& check) {
  Json json = Json::object();
  for (const Plausibility& link : check.plausibility)
    json[link.name] = {
        {"physical", link.physical},
        {"mass", link.mass},
        {"com", {link.com.x(), link.com.y(), link.com.z()}},
        {"principal_moments", {link.moments.x(), link.moments.y(), link.moments.z()}},
        {"triangle_gap", link.triangle_gap},
        {"pseudo_inertia_min_eigenvalue", link.pseudo_inertia_min_eigenvalue},
        {"problems", link.problems}};
  return json;
}

Json baseJson(const std::vector<BaseParameterName>& base) {
  Json json = {{"count", base.size()}, {"names", Json::array()}, {"expressions", Json::array()}};
  for (const BaseParameterName& parameter : base) {
    json["names"].push_back(parameter.name);
    json["expressions"].push_back(parameter.expression);
  }
  return json;
}

}  // namespace

std::string describe(const Robot& robot,
                     const RobotCheck& check,
                     const std::vector<FormulationAgreement>& formulations) {
  std::string text = structureText(robot) + "\n" + std::to_string(check.base.size()) +
                     (check.base.size() == 1 ? " base parameter" : " base parameters") +
                     " of the rigid bodies (" + std::to_string(check.base_with_drives.size()) +
                     " with drive inertias, " + std::to_string(check.static_count) +
                     " seen at rest)\n";
  for (const BaseParameterName& parameter : check.base) text += "  " + parameter.expression + "\n";
  text += "\nwhat joint torque" + std::string(robot.floating_base ? " and the base's wrench" : "") +
          (robot.floating_base ? " determine" : " determines") +
          " (A alone, + only in a combination, - not at all)\n" + std::string(26, ' ');
  for (const std::string_view name : kInertialNames) text += padded(std::string(name), 4);
  for (size_t k = 0; k < check.bodies.size(); ++k) {
    text += "\n  " + padded(check.bodies[k], 24);
    for (size_t c = 0; c < 10; ++c) {
      const Identifiability seen = check.identifiability[10 * k + c];
      text += seen == Identifiability::kAlone         ? "A   "
              : seen == Identifiability::kCombination ? "+   "
                                                      : "-   ";
    }
  }
  return text + "\n\n" + plausibilityText(check) + "\n" + formulationsText(formulations);
}

std::string toJsonText(const Robot& robot,
                       const RobotCheck& check,
                       const std::vector<FormulationAgreement>& formulations) {
  Json json = {{"robot", robot.name}, {"sha256", robot.sha256}};
  for (const Body& body : robot.bodies) json["links"].push_back(body.name);
  json["joints"] = robot.jointNames();
  json["actuators"] = robot.actuatorNames();
  json["passive_joints"] = Json::array();
  for (const Joint& joint : robot.passive_joints) json["passive_joints"].push_back(joint.name);
  json["loops"] = Json::array();
  for (const Loop& loop : robot.loops)
    json["loops"].push_back({{"name", loop.name}, {"type", kindOf(loop.type)}});
  json["gravity"] = {robot.gravity.x(), robot.gravity.y(), robot.gravity.z()};
  json["base_parameters"] = baseJson(check.base);
  json["base_parameters_with_drive_inertia"] = baseJson(check.base_with_drives);
  json["base_parameters_at_rest"] = {{"count", check.static_count}};
  json["identifiability"] = identifiabilityJson(check);
  json["plausibility"] = plausibilityJson(check);
  json["warnings"] = robot.warnings;
  json["formulations"] = Json::array();
  for (const FormulationAgreement& row : formulations)
    json["formulations"].push_back(
        {{"name", row.name},
         {"computes", toString(row.computes)},
         {"description", row.what},
         {"applies", row.applies},
         {"reason", row.reason},
         {"max_relative_disagreement", row.applies ? Json(row.max_relative_disagreement) : Json()},
         {"tolerance", row.tolerance},
         {"nanoseconds", row.applies ? Json(row.nanoseconds) : Json()}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dynid::tool
