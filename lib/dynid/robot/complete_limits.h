#pragma once

#include "dynid/robot/robot.h"

namespace dynid {

/// The limits with a value for each that is infinite, as used for random states and for designed
/// and simulated motions. Position: +-pi (prismatic: +-0.5 m). Where only one limit is given, the
/// other is pi (0.5 m) from 0 on the missing side; where that leaves less than pi/2 (0.25 m), it is
/// 2 pi (1 m) from the given one. Velocity: 1 rad/s (0.5 m/s). Acceleration: velocity / 0.25 s. The
/// effort is not changed.
JointLimits completeLimits(JointLimits limits, bool prismatic);

}  // namespace dynid
