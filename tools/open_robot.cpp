#include "open_robot.h"

#include "dynid/robot/load_robot.h"

#include "console.h"
#include "expected_file.h"

namespace dynid::tool {

std::shared_ptr<const Robot> openRobot(const std::string& command,
                                       const std::string& file,
                                       const std::vector<std::string>& excluded_joints,
                                       bool quiet) {
  expectKind(file, Expected::kRobot);
  auto robot = std::make_shared<const Robot>(loadRobot(file, {excluded_joints}));
  if (!quiet)
    for (const std::string& warning : robot->warnings) printNote(command, file + ": " + warning);
  return robot;
}

}  // namespace dynid::tool
