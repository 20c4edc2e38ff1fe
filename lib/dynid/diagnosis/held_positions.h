#pragma once

#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"
#include "dynid/signals/raw_signals.h"

#include <span>
#include <vector>

namespace dynid {

/// Positions that are held although the joint moves: an encoder or its message was stuck. Code
/// raw-position-held (a warning), one per joint, for the longest stretch without any change of
/// the position, of at least 1 s and ten times the median time between changes, where
///   - the position then jumps, within one interval of the log, by at least 0.02 rad (0.005 m) and
///     five times its largest step elsewhere, or
///   - the logged velocity moves the joint by a fifth of its range meanwhile, with at least a fifth
///     of its speed elsewhere and three times the resolution of the velocity, or
///   - the position does not change any more up to the end of the log, rows are at most 20 ms
///     apart, and the last step before is longer than the median step and than four times the
///     99.5 % quantile of the differences of consecutive steps: a joint does not stop from one row
///     to the next.
/// A joint at rest meets none of them.
/// @param windows  contiguous parts of one log
std::vector<Finding> findHeldPositions(const Robot& robot, std::span<const RawSignals> windows);

}  // namespace dynid
