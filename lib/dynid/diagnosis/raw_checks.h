#pragma once

#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"
#include "dynid/signals/raw_signals.h"

#include <numbers>
#include <span>
#include <vector>

namespace dynid {

/// [rad] Range of a joint without limits beyond which its angles are in another unit.
inline constexpr double kWidestAngle = 8.0 * std::numbers::pi;

/// Finds mistakes in the rows of a log that make a fit meaningless; no model is needed. Codes
/// (refused, except where a warning is named):
///   raw-robot-millimetres  the lengths of the description (lengthsInMillimetres)
///   raw-time-unit       median interval above 0.2 s or below 20 us
///   raw-too-short       less than 1 s, or fewer turning points than half the joints (a
///                       warning: fewer than joints)
///   raw-effort-constant the effort of a moving joint is constant
///   raw-effort-unsigned the effort of a joint falls to zero at least four times and never changes
///                       its sign (diagnose drops it where the model explains the effort)
///   raw-effort-held, raw-effort-zero, raw-effort-repeated
///                       an effort is held, or 0, while the joint moves, or its source is slower
///                       than the log (findHeldEfforts, warnings)
///   raw-copied-column   a column holds the values of another one (findCopiedColumns)
///   raw-position-held   a position is held while the joint moves (findHeldPositions, a warning)
///   raw-position-unit   an angle covers more than 4 turns, or five times what the joint's limits
///                       allow
///   raw-position-degrees, raw-velocity, raw-clock
///                       logged velocities against d(position)/dt (checkVelocities)
///   raw-effort-unit     efforts ten times the limits of the description (half of the joints; a
///                       warning where all limits are equal and at most 10, which is a usual
///                       placeholder); or below 1 % of limits that are not all equal (half of the
///                       joints) and below 3 % everywhere (a warning)
///   raw-effort-limit    the effort of a single joint reaches ten times its limit (a warning)
/// @param windows     contiguous parts of one log
/// @param duration_s  of the whole log
/// @param torques     the efforts are torques of the joints (currents: multiplied by known gains)
std::vector<Finding> checkRawLog(const Robot& robot,
                                 std::span<const RawSignals> windows,
                                 double duration_s,
                                 bool torques);

}  // namespace dynid
