#pragma once

#include "dynid/robot/robot.h"

namespace dynid {

/// The limits with a value for each that is infinite, as used for random states and for designed
/// and simulated motions. Position: +-pi about 0 (prismatic: +-0.5 m), or a range of that width
/// beside the only limit that is given. Velocity: 1 rad/s (0.5 m/s). Acceleration: velocity / 0.25
/// s. The effort is not changed.
JointLimits completeLimits(JointLimits limits, bool prismatic);

}  // namespace dynid
