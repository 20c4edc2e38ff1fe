#pragma once

#include "dynid/diagnosis/hypothesis_score.h"
#include "dynid/signals/finding.h"

#include <string>
#include <vector>

namespace dynid {

/// Efforts of single joints that are thousands of times too small: in another unit than those of
/// the other joints, or not measured at all. No scale that could be tried is so far off, and with
/// such an effort the shared parameters fit the other joints badly, which then seem to be wrong.
///
/// An effort is tiny if r_c < 0.001 median of r of the other joints that move, and r_c < 0.001,
/// with r the rms effort over the rms torque of uniform rods (HypothesisScore::rigid_ratio).
/// Untouched logs: see experiments/mistakes.
///
/// @param fit    of the log as it is; the efforts are torques
/// @param names  [channels]
/// @returns one finding "diagnosis-effort-tiny" each, which refuses the log; `value` is the ratio
/// of r_c to the median
std::vector<Finding> tinyEfforts(const HypothesisScore& fit, const std::vector<std::string>& names);

}  // namespace dynid
