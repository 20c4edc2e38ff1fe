#pragma once

#include "dynid/robot/robot.h"

#include <string>

namespace dynid {

/// Name of a robot's root link in an MJCF or SDF file.
///
/// It is the name in the robot, except for "world", which both formats reserve: that root is called
/// "world_link", with as many "_" after it as make the name unique.
std::string rootNameInFile(const Robot& robot);

}  // namespace dynid
