#include "dynid/diagnosis/returns_from_zero.h"

#include "dynid/math/quantile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;

constexpr double kNearZero = 0.05, kAwayFromZero = 0.2;  // of the largest effort
// A magnitude reaches zero where the true effort crosses zero: its lowest value there exceeds zero
// by no more than half of its change per row and a fraction of the noise (kAtZero). An effort of
// one sign that comes near zero in every period of the motion may reach zero by chance, but in
// fewer than half of the cases.
constexpr double kAtZero = 0.5;        // standard deviations of the noise
constexpr double kReachedShare = 0.5;  // of the times that it comes near zero
// Quieter efforts are not averaged, because a magnitude is at zero for one row only where the
// effort changes its sign at once: from 0.2 to 0.05 of the largest effort there are ten times this
// standard deviation.
constexpr double kQuietEffort = 0.015;  // of the largest effort

// Standard deviation of the effort's white noise, from the median of its second differences
// (sqrt(6) times as large; 0.6745: the median of a normal distribution's magnitude); 0: no rows.
double noiseOf(std::span<const RawSignals> windows, Index j) {
  std::vector<double> differences;
  for (const RawSignals& window : windows)
    for (Index r = 1; r + 1 < window.rows(); ++r) {
      const auto effort = window.effort.col(j);
      const double difference = effort(r + 1) - 2.0 * effort(r) + effort(r - 1);
      if (std::isfinite(difference)) differences.push_back(std::abs(difference));
    }
  return differences.empty() ? 0.0 : median(std::move(differences)) / (0.6745 * std::sqrt(6.0));
}

}  // namespace

int returnsFromZero(std::span<const RawSignals> windows, Index joint, Index averaged) {
  double low = std::numeric_limits<double>::infinity(),
         high = -std::numeric_limits<double>::infinity();
  for (const RawSignals& window : windows)
    for (const double effort : window.effort.col(joint)) {
      if (!std::isfinite(effort)) continue;
      low = std::min(low, effort);
      high = std::max(high, effort);
    }
  if (low < 0.0 && high > 0.0) return 0;
  const double largest = std::max(std::abs(low), std::abs(high));
  const double sigma = noiseOf(windows, joint);
  const Index rows = sigma < kQuietEffort * largest ? 1 : averaged;
  const double noise = kAtZero * sigma / std::sqrt(static_cast<double>(rows));
  int near = 0, reached = 0;
  for (const RawSignals& window : windows) {
    std::optional<Index> left, first;  // last row away from zero, first row near zero
    Index last = 0;
    double lowest = 0.0;
    for (Index r = 0; r + rows <= window.rows(); ++r) {
      const double effort = std::abs(window.effort.col(joint).segment(r, rows).mean());
      if (left && effort < kNearZero * largest) {
        lowest = first ? std::min(lowest, effort) : effort;
        first = first.value_or(r);
        last = r;
      } else if (effort > kAwayFromZero * largest) {
        if (first) {
          ++near;
          const auto rows_of_fall = static_cast<double>(std::min(*first - *left, r - last));
          const double step = (kAwayFromZero - kNearZero) * largest / rows_of_fall;
          if (lowest <= noise + 0.5 * step) ++reached;
        }
        left = r;
        first.reset();
      }
    }
  }
  return reached >= kReachedShare * near ? reached : 0;
}

}  // namespace dynid
