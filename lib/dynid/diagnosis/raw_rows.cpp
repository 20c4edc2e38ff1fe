#include "dynid/diagnosis/raw_rows.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dynid {

double medianInterval(std::span<const RawSignals> windows) {
  std::vector<double> intervals;
  Eigen::Index rows = 0;
  for (const RawSignals& window : windows)
    for (Eigen::Index r = 1; r < window.rows(); ++r, ++rows)
      if (window.time(r) > window.time(r - 1))
        intervals.push_back(window.time(r) - window.time(r - 1));
  if (intervals.empty()) return std::nan("");
  const auto middle = intervals.begin() + std::ssize(intervals) / 2;
  std::nth_element(intervals.begin(), middle, intervals.end());
  const double share = static_cast<double>(intervals.size()) / static_cast<double>(rows);
  return share < 0.5 ? share * *middle : *middle;
}

Eigen::Index rowsIn(double interval_s, double seconds, Eigen::Index least) {
  if (!std::isfinite(interval_s) || interval_s <= 0.0) return least;
  const double rows = std::min(seconds / interval_s, 1e6);
  return std::max(least, static_cast<Eigen::Index>(std::lround(rows)));
}

PositionRange positionRange(std::span<const RawSignals> windows, Eigen::Index joint) {
  PositionRange range;
  for (const RawSignals& window : windows)
    for (const double q : window.position.col(joint)) {
      if (!std::isfinite(q)) continue;
      range.low = std::min(range.low, q);
      range.high = std::max(range.high, q);
    }
  return range;
}

}  // namespace dynid
