#pragma once

#include "dynid/diagnosis/mistake.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"

#include <optional>
#include <span>
#include <vector>

namespace dynid {

/// The mistakes that cause findings about raw rows and units of efforts. Only mistakes that are the
/// only explanation of the numbers are returned:
///   raw-time-unit        the one power of 1000 that makes the interval 0.2 to 50 ms
///   raw-clock            the ratio of logged velocities and d(position)/dt
///   raw-position-unit    degrees, where every joint that is named then covers at most its limits
///                        (4 turns where it has none); of all angles as in degreesBehind
///   raw-effort-unit, diagnosis-effort-unit   N mm or mA, where a thousandth is plausible
///   diagnosis-effort-unit  N cm, where the masses are then near those of the description
/// @returns one mistake, or none
std::vector<Mistake> mistakesBehind(std::span<const Finding> findings, const Robot& robot);

/// Degrees of the angles with the finding raw-position-unit, however far they turn; of all angles
/// if it is more than half of those that are compared with limits (all but coupled drives); nothing
/// if a slide has this finding as well.
std::optional<Mistake> degreesBehind(std::span<const Finding> findings, const Robot& robot);

}  // namespace dynid
