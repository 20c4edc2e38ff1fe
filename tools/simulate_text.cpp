#include "simulate_text.h"

#include "dynid/core/text.h"

#include <nlohmann/json.hpp>

namespace dynid::tool {

std::string describe(const Robot& robot,
                     const SimulationSummary& summary,
                     const std::string& output) {
  std::string text = output + ": " + std::to_string(summary.rows) + " rows, " +
                     toText(summary.duration_s) + " s of " + robot.name + "\n";
  for (int j = 0; j < robot.numJoints(); ++j)
    text += "  " + robot.joints[j].name + ": speed up to " + toText(summary.max_velocity(j), 3) +
            ", acceleration up to " + toText(summary.max_acceleration(j), 3) + ", effort up to " +
            toText(summary.max_effort(j), 3) + " (rms " + toText(summary.rms_effort(j), 3) + ")\n";
  for (const std::string& note : summary.notes) text += "note: " + note + "\n";
  return text;
}

std::string toJsonText(const Robot& robot,
                       const SimulationSummary& summary,
                       const std::string& output) {
  nlohmann::ordered_json json = {{"output", output},
                                 {"rows", summary.rows},
                                 {"duration_s", summary.duration_s},
                                 {"joints", nlohmann::ordered_json::object()},
                                 {"notes", summary.notes}};
  for (int j = 0; j < robot.numJoints(); ++j)
    json["joints"][robot.joints[j].name] = {{"max_velocity", summary.max_velocity(j)},
                                            {"max_acceleration", summary.max_acceleration(j)},
                                            {"max_effort", summary.max_effort(j)},
                                            {"rms_effort", summary.rms_effort(j)}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace dynid::tool
