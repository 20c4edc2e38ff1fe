#pragma once

#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"
#include "dynid/signals/raw_signals.h"

#include <span>
#include <vector>

namespace dynid {

/// Columns of a log that hold the values of another column, because a column was copied or named
/// twice in a mapping. Measured signals have noise and are never multiples of each other, so that
/// two columns count as one signal where 1 - r^2 < 1e-9 with r their correlation. Code
/// raw-copied-column:
///   refused    an effort is a multiple of another effort, or of a position or velocity
///   refused    the efforts of three joints or more, and of all that move, are commands of their
///              velocities or positions: they follow them with a factor of one
///   a warning  two positions are equal in every row (joints may be commanded alike)
/// Columns that are constant are left to other checks.
/// @param windows  contiguous parts of one log
std::vector<Finding> findCopiedColumns(const Robot& robot, std::span<const RawSignals> windows);

}  // namespace dynid
