#include "dynid/recordings/open_reader.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/robot/driven_joints.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace dynid {
namespace {

/// Refuses a log that has columns only for the other side of a transmission.
void refuseOtherSide(const Robot& robot, const std::filesystem::path& path) {
  const std::vector<std::string> wanted = robot.logColumnNames();
  std::vector<std::string> logged, missing, others;
  bool at_actuator = false;
  for (int a = 0; a < robot.numJoints(); ++a) {
    if (!robot.isCoupled(a)) continue;
    if (logged.empty()) logged = readLogInfo(path).joint_names;
    const auto has = [&](const std::string& name) {
      return std::find(logged.begin(), logged.end(), name) != logged.end();
    };
    const std::string& other =
        robot.measured_at_actuator[a] ? robot.joints[a].name : robot.drives[a].name;
    if (has(wanted[a]) || !has(other)) continue;
    at_actuator = robot.measured_at_actuator[a];
    missing.push_back(wanted[a]);
    others.push_back(other);
  }
  if (missing.empty()) return;
  throw InputError(fmt::format(
      "{0}:/joint_names: no columns for the {1}s {2}, which the description says are recorded "
      "(measured = \"{1}\" in [[transmission]]), but for the {3}s {4}: if these hold numbers of "
      "the {3}s, set measured = \"{3}\"; if they hold those of the {1}s, call the columns {2} in "
      "the import mapping",
      path.string(),
      at_actuator ? "actuator" : "joint",
      join(missing),
      at_actuator ? "joint" : "actuator",
      join(others)));
}

}  // namespace

LogReader openReader(const Robot& robot,
                     const std::filesystem::path& path,
                     const LogCorrection& correction) {
  refuseOtherSide(robot, path);
  LogReaderOptions options;
  options.joints = robot.logColumnNames();
  options.correction = correction;
  for (size_t j = 0; j < robot.joints.size(); ++j) {
    if (robot.joints[j].prismatic) options.prismatic.push_back(options.joints[j]);
    options.unwrapped.push_back(!robot.joints[j].prismatic && !robot.measured_at_actuator[j]);
  }
  const std::string chosen = chosenDrivenJoints(robot);
  if (chosen.empty()) return LogReader(path, options);
  try {
    return LogReader(path, options);
  } catch (const InputError& error) {
    throw InputError(
        std::string(error.what()) +
        " (the description does not say which joints of its loops have motors; assumed are " +
        chosen + "; write passive = true in the [joint.X] of those that have none)");
  }
}

}  // namespace dynid
