#pragma once

#include <cmath>
#include <numbers>

namespace dynid {

/// Time [s] by which a motion is late, t seconds into it, if its speed dips by the share `depth`
/// and recovers from `at` to `at + length`: q(t) becomes q(t - lateness), with the speed 1 - depth
/// sin(2 pi (t - at) / length) of before. Zero outside.
inline double latenessByDip(double t, double at, double length, double depth) {
  const double u = (t - at) / length;
  if (u <= 0.0 || u >= 1.0) return 0.0;
  constexpr double kTurn = 2.0 * std::numbers::pi;
  return depth * length / kTurn * (1.0 - std::cos(kTurn * u));
}

}  // namespace dynid
