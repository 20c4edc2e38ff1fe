#include "excite_text.h"

#include "dynid/core/text.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace dynid::tool {
namespace {

using Json = nlohmann::ordered_json;

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string against(double value, double limit) {
  return toText(value, 4) + " of " + toText(limit, 4);
}

std::string known(double std_dev) {
  return std::isfinite(std_dev) ? toText(std_dev, 3) : "unknown";
}

Json limitsJson(const Robot& robot, const Excitation& e) {
  Json limits = Json::object();
  for (Eigen::Index j = 0; j < robot.numJoints(); ++j) {
    Json& joint = limits[robot.joints[static_cast<size_t>(j)].name];
    joint["position"] = {e.peaks.lower(j), e.peaks.upper(j), e.limits.lower(j), e.limits.upper(j)};
    joint["velocity"] = {e.peaks.velocity(j), e.limits.velocity(j)};
    joint["acceleration"] = {e.peaks.acceleration(j), e.limits.acceleration(j)};
    joint["jerk"] = {e.peaks.jerk(j), finite(e.limits.jerk(j))};
    joint["effort"] = {e.effort(j) > 0.0 ? Json(e.effort(j)) : Json(nullptr),
                       finite(e.limits.effort(j))};
  }
  return limits;
}

}  // namespace

std::string describe(const Robot& robot, const Excitation& e, const std::string& output) {
  const TrajectoryFile& file = e.trajectory;
  std::string text = output + ": " + toText(file.time(file.time.size() - 1), 4) + " s for " +
                     robot.name + " (lead-in " + toText(file.lead_in->duration_s, 3) +
                     " s, lead-out " + toText(file.lead_out->duration_s, 3) + " s), " +
                     std::to_string(e.forecast.size()) + " parameters\ncondition number " +
                     toText(e.condition_number, 4) + ", log det per sample " +
                     toText(e.log_det_per_sample, 4) + ", after " + toText(e.seconds, 3) + " s\n";
  const bool with_statistics = std::isfinite(e.condition_number_with_statistics);
  if (with_statistics)
    text += "together with the statistics: condition number " +
            toText(e.condition_number_with_statistics, 4) + "\n";
  for (Eigen::Index j = 0; j < robot.numJoints(); ++j) {
    text += "  " + robot.joints[static_cast<size_t>(j)].name + ": position " +
            toText(e.peaks.lower(j), 4) + " to " + toText(e.peaks.upper(j), 4) + " within " +
            toText(e.limits.lower(j), 4) + " to " + toText(e.limits.upper(j), 4) + ", velocity " +
            against(e.peaks.velocity(j), e.limits.velocity(j)) + ", acceleration " +
            against(e.peaks.acceleration(j), e.limits.acceleration(j));
    if (std::isfinite(e.limits.jerk(j)))
      text += ", jerk " + against(e.peaks.jerk(j), e.limits.jerk(j));
    if (std::isfinite(e.limits.effort(j)))
      text += ", effort " + against(e.effort(j), e.limits.effort(j));
    text += "\n";
  }
  text += std::string("forecast (standard deviations") +
          (with_statistics ? "; so far, then with this motion" : "") + "):\n";
  for (const ParameterForecast& p : e.forecast)
    text += "  " + p.name + ": " + (with_statistics ? known(p.std_dev_before) + ", then " : "") +
            known(p.std_dev) + " " + p.unit +
            (p.expression == p.name ? "" : "   [" + p.expression + "]") + "\n";
  for (const std::string& note : e.notes) text += "note: " + note + "\n";
  return text;
}

std::string toJsonText(const Robot& robot, const Excitation& e, std::uint64_t seed) {
  Json json = {{"feasible", e.feasible}};
  if (!e.feasible) json["reasons"] = e.reasons;
  if (e.feasible) {
    json["condition_number"] = finite(e.condition_number);
    json["log_det_per_sample"] = finite(e.log_det_per_sample);
    if (std::isfinite(e.condition_number_with_statistics))
      json["condition_number_with_statistics"] = e.condition_number_with_statistics;
    json["limits"] = limitsJson(robot, e);
    json["forecast"] = Json::array();
    for (const ParameterForecast& p : e.forecast) {
      Json& entry = json["forecast"].emplace_back(Json{{"name", p.name},
                                                       {"expression", p.expression},
                                                       {"unit", p.unit},
                                                       {"std_dev", finite(p.std_dev)}});
      if (std::isfinite(e.condition_number_with_statistics))
        entry["std_dev_before"] = finite(p.std_dev_before);
    }
    json["noise"] = std::vector<double>(e.noise.begin(), e.noise.end());
    json["search"] = Json::array();
    for (const SearchStep& step : e.search.steps)
      json["search"].push_back(
          {{"seconds", step.seconds}, {"chain", step.chain}, {"score", step.score}});
    json["finished_chains"] = e.search.finished_chains;
  }
  json["notes"] = e.notes;
  json["seconds"] = e.seconds;
  json["seed"] = seed;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dynid::tool
