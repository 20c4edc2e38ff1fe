#include "dynid/robot/complete_limits.h"

#include <cmath>
#include <numbers>

namespace dynid {
namespace {

/// End of a range whose other end is given. It is `half` from 0 unless that leaves less than half
/// of `half`.
double otherEnd(double given, double half, double direction) {
  const double end = direction * half;
  return direction * (end - given) >= 0.5 * half ? end : given + direction * 2.0 * half;
}

}  // namespace

JointLimits completeLimits(JointLimits limits, bool prismatic) {
  const double half = prismatic ? 0.5 : std::numbers::pi;
  const bool has_lower = std::isfinite(limits.lower), has_upper = std::isfinite(limits.upper);
  if (!has_lower) limits.lower = has_upper ? otherEnd(limits.upper, half, -1.0) : -half;
  if (!has_upper) limits.upper = has_lower ? otherEnd(limits.lower, half, 1.0) : half;
  if (!std::isfinite(limits.velocity)) limits.velocity = prismatic ? 0.5 : 1.0;
  if (!std::isfinite(limits.acceleration)) limits.acceleration = limits.velocity / 0.25;
  return limits;
}

}  // namespace dynid
