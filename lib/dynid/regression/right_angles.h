#pragma once

#include "dynid/robot/robot.h"

namespace dynid {

/// The robot with rounded geometry: frames of joints and cut joints whose roll, pitch and yaw are
/// within `tolerance` [rad] of right angles, or are right angles with two or three decimals (1.57,
/// 3.142), are rotated to them, and entries of axes below `tolerance` are set to zero. A
/// description writes "1.57" or "1.5708" for pi/2, and the rounding error would look like a
/// parameter that no log can excite. A tolerance of 0 leaves the robot unchanged.
Robot withRightAngles(const Robot& robot, double tolerance);

}  // namespace dynid
