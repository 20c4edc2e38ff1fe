#include "dynid/recordings/open_reader.h"

#include "dynid/core/errors.h"
#include "dynid/robot/driven_joints.h"

namespace dynid {

LogReader openReader(const Robot& robot,
                     const std::filesystem::path& path,
                     const LogCorrection& correction) {
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
