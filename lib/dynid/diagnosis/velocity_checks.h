#pragma once

#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"
#include "dynid/signals/raw_signals.h"

#include <span>
#include <vector>

namespace dynid {

/// Logged velocities against d(position)/dt, both averaged over 0.1 s. Codes (all refused):
///   raw-position-degrees  the logged velocity is pi / 180 times d(position)/dt
///   raw-velocity          any other slope outside 0.3 to 3
///   raw-clock             all logged velocities are the same multiple of d(position)/dt, more than
///                         0.2 from 1 (0.1 where they agree within 2 %), and nothing is refused
/// @param so_far  other findings of the log; degrees that they name (raw-position-unit) are not
///                named again
/// @returns nothing for a log without velocities
std::vector<Finding> checkVelocities(const Robot& robot,
                                     std::span<const RawSignals> windows,
                                     std::span<const Finding> so_far);

/// Slope of each logged velocity against d(position)/dt, both averaged over 0.1 s: 1 where they
/// agree; NaN without velocities, and where the joint does not move or one does not follow the
/// other (correlation below 0.9).
/// @returns [channels]; empty without rows
Eigen::VectorXd velocitySlopes(std::span<const RawSignals> windows);

/// Whether the log has velocities, and those of at least two thirds of the joints that move are
/// d(position)/dt within 20 %: the clock of the stamps is then that of the robot.
bool velocitiesAgree(std::span<const RawSignals> windows);

}  // namespace dynid
