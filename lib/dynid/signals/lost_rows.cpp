#include "dynid/signals/lost_rows.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;

constexpr Index kAround = 3;        // intervals before and behind a place
constexpr Index kFewestPlaces = 3;  // fewer may be chance
constexpr double kEven = 0.2;       // largest deviation of an interval from the mean, relative
constexpr double kMissing = 2.5;    // intervals from which on rows are missing
constexpr double kSlowest = 0.5, kFastest = 1.6;  // intervals of ordinary rows
constexpr double kSimilar = 3.0;                  // ratio of the speeds before and behind
constexpr double kStandsOut = 2.0;                // squared increments, before all else is computed
constexpr double kUnexplained = 0.1;              // of the squared increments

/// The increments of one excerpt [rows - 1 x joints], as multiples of the noise.
Eigen::ArrayXXd scaledIncrements(const RawSignals& excerpt, const ClockModel& clock) {
  const Index steps = excerpt.rows() - 1;
  const ArrayXd noise = clock.noise.cwiseMax(clock.resolution).cwiseMax(1e-12);
  const Eigen::ArrayXXd increments =
      (excerpt.position.bottomRows(steps) - excerpt.position.topRows(steps)).array();
  return increments.rowwise() / noise.transpose();
}

/// Whether the stamps of rows [first, last] are even.
bool isEven(const RawSignals& excerpt, Index first, Index last) {
  const double step =
      (excerpt.time(last) - excerpt.time(first)) / static_cast<double>(last - first);
  for (Index k = first; k < last; ++k)
    if (!(std::abs(excerpt.time(k + 1) - excerpt.time(k) - step) < kEven * step)) return false;
  return true;
}

/// The number of intervals between rows k and k + 1; 1 if there is no reason for another.
double intervalsAt(const Eigen::ArrayXXd& increments, Index k) {
  const ArrayXd before = increments.middleRows(k - kAround, kAround).colwise().mean();
  const ArrayXd behind = increments.middleRows(k + 1, kAround).colwise().mean();
  const ArrayXd slower = before.abs().min(behind.abs()), faster = before.abs().max(behind.abs());
  const auto counts = (before * behind > 0.0) && (slower > 1.0) && (faster < kSimilar * slower);
  const ArrayXd speed = counts.select(0.5 * (before + behind), 0.0);
  const double size = speed.square().sum();
  if (!(size > 0.0)) return 1.0;
  const auto intervals = [&](Index row) {
    return (increments.row(row).transpose() * speed).sum() / size;
  };
  const double found = intervals(k);
  if (!(found >= kMissing)) return 1.0;
  const ArrayXd here = counts.select(increments.row(k).transpose(), 0.0);
  if ((here - found * speed).square().sum() > kUnexplained * here.square().sum()) return 1.0;
  for (Index row = k - kAround; row <= k + kAround; ++row) {
    const double ordinary = intervals(row);
    if (row != k && !(ordinary > kSlowest && ordinary < kFastest)) return 1.0;
  }
  return found;
}

}  // namespace

std::optional<LostRows> findLostRows(std::span<const RawSignals> excerpts,
                                     const ClockModel& clock) {
  if (clock.noise.size() == 0) return std::nullopt;
  LostRows lost;
  double rows = 0.0;
  for (const RawSignals& excerpt : excerpts) {
    rows += static_cast<double>(excerpt.rows());
    if (excerpt.rows() < 2 * kAround + 2) continue;
    const Eigen::ArrayXXd increments = scaledIncrements(excerpt, clock);
    const ArrayXd size = increments.square().rowwise().sum();
    for (Index k = kAround; k + kAround < increments.rows(); ++k) {
      if (!(size(k) > kStandsOut * std::max(size(k - 1), size(k + 1)))) continue;
      const double intervals = intervalsAt(increments, k);
      if (intervals == 1.0) continue;
      if (!isEven(excerpt, k - kAround, k + kAround + 1)) continue;
      if (lost.places == 0) lost.first_s = excerpt.time(k);
      ++lost.places;
      lost.rows += std::round(intervals) - 1.0;
    }
  }
  if (lost.places < kFewestPlaces) return std::nullopt;
  lost.share = lost.rows / (rows + lost.rows);
  return lost;
}

}  // namespace dynid
