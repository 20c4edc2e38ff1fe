#include "dynid/robot/complete_limits.h"

#include <cmath>
#include <numbers>

namespace dynid {

JointLimits completeLimits(JointLimits limits, bool prismatic) {
  const double half = prismatic ? 0.5 : std::numbers::pi;
  const bool has_lower = std::isfinite(limits.lower), has_upper = std::isfinite(limits.upper);
  if (!has_lower) limits.lower = has_upper ? limits.upper - 2.0 * half : -half;
  if (!has_upper) limits.upper = has_lower ? limits.lower + 2.0 * half : half;
  if (!std::isfinite(limits.velocity)) limits.velocity = prismatic ? 0.5 : 1.0;
  if (!std::isfinite(limits.acceleration)) limits.acceleration = limits.velocity / 0.25;
  return limits;
}

}  // namespace dynid
