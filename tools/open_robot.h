#pragma once

#include "dynid/robot/robot.h"

#include <memory>
#include <string>
#include <vector>

namespace dynid::tool {

/// Loads a robot description for a command. Parts of it that are not used (Robot::warnings) are
/// printed as notes to standard error.
/// @throws InputError as loadRobot
std::shared_ptr<const Robot> openRobot(const std::string& command,
                                       const std::string& file,
                                       const std::vector<std::string>& excluded_joints,
                                       bool quiet);

}  // namespace dynid::tool
