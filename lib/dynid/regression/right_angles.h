#pragma once

#include "dynid/robot/robot.h"

namespace dynid {

/// The robot that its description means: frames of joints and cut joints whose roll, pitch and yaw
/// are within `tolerance` [rad] of right angles are turned to them, and entries of axes that small
/// are zero. "1.5708" is meant as pi/2, and its rounding would look like a parameter that no log
/// could excite. A tolerance of 0 leaves the robot as it is.
Robot withRightAngles(const Robot& robot, double tolerance);

}  // namespace dynid
