#include "excite_text.h"

#include "dynid/core/text.h"
#include "dynid/excitation/space.h"
#include "dynid/excitation/trajectory_text.h"
#include "dynid/identification/verdicts.h"
#include "dynid/model/column_place.h"
#include "dynid/report/numbers.h"

#include "option_names.h"
#include <cmath>
#include <nlohmann/json.hpp>

namespace dynid::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string against(double value, double limit) {
  return toText(value, 4) + " of " + toText(limit, 4);
}

std::string known(double std_dev) {
  return std::isfinite(std_dev) ? toText(std_dev, 3) : "unknown";
}

// The numbers of parameters per verdict and the names of uncertain ones, in the words of
// `identify`.
std::string verdictsText(const ExcitationDesign& e) {
  size_t alone = 0, combination = 0, none = 0, unjudged = 0;
  for (const ParameterVerdict& verdict : e.verdicts.verdicts) {
    alone += verdict.identifiability == Identifiability::kAlone;
    combination += verdict.identifiability == Identifiability::kCombination;
    none += verdict.identifiability == Identifiability::kNone;
  }
  std::vector<std::string> badly, silent;
  for (const ParameterForecast& p : e.forecast) {
    if (!std::isfinite(p.std_dev))
      silent.push_back(p.name);
    else if (!std::isfinite(p.expected))
      ++unjudged;
    else if (excitationOf(p.expected, p.std_dev) == Excitation::kBadly)
      badly.push_back(p.name);
  }
  std::string text = "expected verdicts: " + std::to_string(e.layout.size()) +
                     " parameters, seen through " + std::to_string(e.forecast.size()) +
                     " combinations; " + std::to_string(alone) + " alone, " +
                     std::to_string(combination) + " only in a combination, " +
                     std::to_string(none) + " not at all\n";
  if (!badly.empty()) text += wrappedText("badly excited (as uncertain as large): " + join(badly));
  if (!silent.empty()) text += wrappedText("not told apart: " + join(silent));
  if (unjudged > 0)
    text += std::to_string(unjudged) +
            " have no known value with which their standard deviation could be compared\n";
  return text;
}

// Verdicts per link as in a model file; "excitation" is null if no value is known for comparison.
Json verdictsJson(const ExcitationDesign& e, const Robot& robot) {
  Json links = Json::object();
  for (int c = 0; c < e.layout.size(); ++c) {
    const Column& column = e.layout[c];
    const bool inertial = column.kind == ColumnKind::kInertial;
    if (!inertial && column.kind != ColumnKind::kPayload) continue;
    const std::string owner = inertial ? robot.bodies[column.owner].name : "payload";
    const ParameterVerdict& verdict = e.verdicts.verdicts[c];
    const bool judged = e.verdicts.judged[c];
    links[owner][std::string(kInertialNames[column.component])] = {
        {"verdict", toString(verdict.identifiability)},
        {"excitation", judged ? Json(toString(verdict.excitation)) : Json(nullptr)},
        {"seen_in", verdict.seen_in}};
  }
  return links;
}

Json limitsJson(const Robot& robot, const ExcitationDesign& e) {
  Json limits = Json::object();
  for (Eigen::Index j = 0; j < robot.numJoints(); ++j) {
    Json& joint = limits[robot.joints[j].name];
    joint["position"] = {e.peaks.lower(j), e.peaks.upper(j), e.limits.lower(j), e.limits.upper(j)};
    joint["velocity"] = {e.peaks.velocity(j), e.limits.velocity(j)};
    joint["acceleration"] = {e.peaks.acceleration(j), e.limits.acceleration(j)};
    joint["jerk"] = {e.peaks.jerk(j), e.limits.jerk(j)};
    joint["effort"] = {e.effort(j) > 0.0 ? Json(e.effort(j)) : Json(nullptr), e.limits.effort(j)};
  }
  return limits;
}

// What must be known before the motion is executed on the robot.
std::string safetyText(const Robot& robot, const ExcitationDesign& e) {
  std::string text;
  text += wrappedText("NOT CHECKED: " + (e.not_checked.empty() ? "" : join(e.not_checked) + "; ") +
                          (e.space ? "collisions with objects that are not in the description"
                                   : "collisions of the robot with itself and with its "
                                     "surroundings"),
                      0);
  if (e.effort.size() == 0 || !e.limits.effort.array().isFinite().all())
    text += wrappedText(
        "NOT CHECKED: efforts of joints without a limit (limits = { effort = ... } under "
        "[joint.NAME] of the description) or of links without inertials",
        0);
  std::string start;
  for (Eigen::Index j = 0; j < robot.numJoints(); ++j) {
    const Joint& joint = robot.joints[j];
    start += (j == 0 ? "" : ", ") + joint.name + " " + toText(e.trajectory.position(0, j), 4) +
             (joint.prismatic ? " m" : " rad");
  }
  text += wrappedText(
      "THE MOTION STARTS AT " + start + ": move the robot there slowly before executing the motion",
      0);
  if (e.poor()) text += wrappedText("POOR MOTION: " + withOptionNames(poorMotionText(e)), 0);
  return text;
}

}  // namespace

std::string describe(const Robot& robot, const ExcitationDesign& e, const std::string& output) {
  const TrajectoryFile& file = e.trajectory;
  const std::string ends = file.lead_in
                               ? " (lead-in " + toText(file.lead_in->duration_s, 3) +
                                     " s, lead-out " + toText(file.lead_out->duration_s, 3) + " s)"
                               : " (from rest to rest, without leads)";
  std::string text = safetyText(robot, e);
  text += output + ": " + toText(file.time(file.time.size() - 1), 4) + " s for " + robot.name +
          ends + ", " + std::to_string(e.forecast.size()) + " parameters\ncondition number " +
          toText(e.condition_number, 4) + ", log det per sample " +
          toText(e.log_det_per_sample, 4) + ", after " + toText(e.seconds, 3) + " s\n";
  const bool with_statistics = std::isfinite(e.condition_number_with_statistics);
  if (with_statistics)
    text += "together with the statistics: condition number " +
            toText(e.condition_number_with_statistics, 4) + "\n";
  for (Eigen::Index j = 0; j < robot.numJoints(); ++j) {
    text += "  " + robot.joints[j].name + ": position " + toText(e.peaks.lower(j), 4) + " to " +
            toText(e.peaks.upper(j), 4) + " within " + toText(e.limits.lower(j), 4) + " to " +
            toText(e.limits.upper(j), 4) + ", velocity " +
            against(e.peaks.velocity(j), e.limits.velocity(j)) + ", acceleration " +
            against(e.peaks.acceleration(j), e.limits.acceleration(j));
    if (std::isfinite(e.limits.jerk(j)))
      text += ", jerk " + against(e.peaks.jerk(j), e.limits.jerk(j));
    if (std::isfinite(e.limits.effort(j)))
      text += ", effort " + against(e.effort(j), e.limits.effort(j));
    text += "\n";
  }
  if (e.space)
    text += "closest approach: " + toText(e.approach.gap, 3) + " m between " +
            e.space->name(e.approach.which) + " at " + toText(e.approach.time_s, 4) +
            " s; at least the clearance " + toText(e.space->clearance(), 3) + " m at every time\n";
  text += std::string("forecast (standard deviations") +
          (with_statistics ? "; so far, then with this motion" : "") + "):\n";
  for (const ParameterForecast& p : e.forecast)
    text += "  " + p.name + ": " + (with_statistics ? known(p.std_dev_before) + ", then " : "") +
            known(p.std_dev) + " " + p.unit +
            (p.expression == p.name ? "" : "   [" + p.expression + "]") + "\n";
  text += verdictsText(e);
  for (const std::string& note : e.notes) text += "note: " + note + "\n";
  return text;
}

std::string toJsonText(const Robot& robot, const ExcitationDesign& e, std::uint64_t seed) {
  Json json = {{"feasible", e.feasible}};
  if (!e.feasible) json["reasons"] = e.reasons;
  if (e.feasible) {
    json["condition_number"] = e.condition_number;
    json["log_det_per_sample"] = e.log_det_per_sample;
    if (std::isfinite(e.condition_number_with_statistics))
      json["condition_number_with_statistics"] = e.condition_number_with_statistics;
    json["limits"] = limitsJson(robot, e);
    if (e.space)
      json["space"] = {{"closest", e.approach.gap},
                       {"between", e.space->name(e.approach.which)},
                       {"time_s", e.approach.time_s},
                       {"clearance", e.space->clearance()},
                       {"pairs", e.space->count()},
                       {"not_checked", e.not_checked}};
    json["forecast"] = Json::array();
    for (const ParameterForecast& p : e.forecast) {
      Json& entry = json["forecast"].emplace_back(Json{{"name", p.name},
                                                       {"expression", p.expression},
                                                       {"unit", p.unit},
                                                       {"std_dev", p.std_dev}});
      entry["expected"] = p.expected;
      if (std::isfinite(e.condition_number_with_statistics))
        entry["std_dev_before"] = p.std_dev_before;
    }
    json["identifiability"] = verdictsJson(e, robot);
    json["noise"] = std::vector<double>(e.noise.begin(), e.noise.end());
    json["search"] = Json::array();
    for (const SearchStep& step : e.search.steps)
      json["search"].push_back(
          {{"seconds", step.seconds}, {"chain", step.chain}, {"score", step.score}});
    json["finished_chains"] = e.search.finished_chains;
    json["abandoned_chains"] = e.search.abandoned_chains;
    json["lost_processes"] = e.search.lost_processes;
    json["poor"] = e.poor();
    json["collisions_checked"] = e.space != nullptr;
    json["not_checked"] = e.not_checked;
    json["start"] = std::vector<double>(e.trajectory.position.row(0).begin(),
                                        e.trajectory.position.row(0).end());
  }
  json["notes"] = e.notes;
  json["seconds"] = e.seconds;
  json["seed"] = seed;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dynid::tool
