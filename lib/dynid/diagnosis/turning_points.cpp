#include "dynid/diagnosis/turning_points.h"

#include "dynid/robot/robot.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kLargestHysteresis = 0.02;  // [rad or m]
constexpr double kOfRange = 0.1;
constexpr double kLeastRange = 5e-3;  // [rad or m]; below it a joint may only hold its position
constexpr double kOverNoise = 10.0;   // standard deviations: their largest difference in long logs
constexpr double kOverStep = 3.0;     // steps of the encoder

/// Least reversal of a joint that counts.
///
/// White noise of variance s^2 has second differences of variance 6 s^2; those of a smooth motion
/// are far smaller than its range.
double hysteresis(std::span<const RawSignals> windows, Index joint) {
  double low = kInfinity, high = -kInfinity, step = kInfinity, squares = 0.0, count = 0.0;
  for (const RawSignals& window : windows) {
    const auto position = window.position.col(joint);
    for (Index r = 0; r < position.size(); ++r) {
      if (!std::isfinite(position(r))) continue;
      low = std::min(low, position(r));
      high = std::max(high, position(r));
      if (r < 1 || !std::isfinite(position(r - 1))) continue;
      const double change = position(r) - position(r - 1);
      if (change != 0.0) step = std::min(step, std::abs(change));
      if (r < 2 || !std::isfinite(position(r - 2))) continue;
      squares += std::pow(change - (position(r - 1) - position(r - 2)), 2);
      count += 1.0;
    }
  }
  if (!(high - low >= kLeastRange)) return kLargestHysteresis;
  const double noise = count > 0.0 ? std::sqrt(squares / (6.0 * count)) : 0.0;
  const double least = std::max(kOverNoise * noise, std::isfinite(step) ? kOverStep * step : 0.0);
  return std::min(kLargestHysteresis, std::max(kOfRange * (high - low), least));
}

}  // namespace

int turningPoints(std::span<const RawSignals> windows) {
  int turns = 0;
  if (windows.empty()) return turns;
  for (Index j = 0; j < windows.front().joints(); ++j) {
    const double least = hysteresis(windows, j);
    for (const RawSignals& window : windows) {
      double high = -kInfinity, low = kInfinity;
      int direction = 0;
      for (const double q : window.position.col(j)) {
        if (!std::isfinite(q)) continue;
        high = std::max(high, q);
        low = std::min(low, q);
        if (direction >= 0 && q < high - least) {
          turns += direction == 1;
          direction = -1;
          low = high = q;
        } else if (direction <= 0 && q > low + least) {
          turns += direction == -1;
          direction = 1;
          low = high = q;
        }
      }
    }
  }
  return turns;
}

}  // namespace dynid
