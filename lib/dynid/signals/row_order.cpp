#include "dynid/signals/row_order.h"

#include <algorithm>
#include <cmath>

namespace dynid {

namespace {

using Eigen::Index;

constexpr double kCorrupt = 1e12;

bool isUsable(const RawSignals& window, Index row) {
  // A comparison with NaN is false, so one test covers NaN, Inf and corrupt values.
  return std::abs(window.time(row)) < kCorrupt &&
         (window.position.row(row).array().abs() < kCorrupt).all() &&
         (window.effort.size() == 0 || (window.effort.row(row).array().abs() < kCorrupt).all());
}

/// Longest nondecreasing subsequence of the stamps (patience sorting, O(N log N); O(N) for stamps
/// in order).
std::vector<Index> longestOrdered(const RawSignals& window, const std::vector<Index>& rows) {
  std::vector<std::size_t> tails, before(rows.size());
  const auto stamp = [&](std::size_t i) { return window.time(rows[i]); };
  constexpr auto kNone = static_cast<std::size_t>(-1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto place =
        tails.empty() || stamp(tails.back()) <= stamp(i)
            ? tails.end()
            : std::upper_bound(tails.begin(), tails.end(), stamp(i), [&](double t, std::size_t j) {
                return t < stamp(j);
              });
    before[i] = place == tails.begin() ? kNone : *(place - 1);
    if (place == tails.end())
      tails.push_back(i);
    else
      *place = i;
  }
  std::vector<Index> ordered(tails.size());
  std::size_t i = tails.empty() ? kNone : tails.back();
  for (std::size_t k = tails.size(); k-- > 0; i = before[i]) ordered[k] = rows[i];
  return ordered;
}

}  // namespace

OrderedRows orderRows(const RawSignals& window) {
  OrderedRows result;
  result.counts.read = window.rows();
  std::vector<Index> finite;
  finite.reserve(static_cast<std::size_t>(window.rows()));
  for (Index row = 0; row < window.rows(); ++row)
    if (isUsable(window, row)) finite.push_back(row);
  result.counts.not_finite = window.rows() - static_cast<Index>(finite.size());
  result.rows = longestOrdered(window, finite);
  result.counts.backward = static_cast<Index>(finite.size() - result.rows.size());
  return result;
}

std::vector<Segment> splitAtGaps(const RawSignals& window,
                                 const std::vector<Index>& rows,
                                 double max_gap) {
  std::vector<Segment> segments;
  const auto n = static_cast<Index>(rows.size());
  Index begin = 0;
  for (Index k = 1; k <= n; ++k) {
    const auto here = static_cast<std::size_t>(k);
    if (k == n || window.time(rows[here]) - window.time(rows[here - 1]) > max_gap) {
      if (k > begin) segments.push_back({begin, k});
      begin = k;
    }
  }
  return segments;
}

}  // namespace dynid
