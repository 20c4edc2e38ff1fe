#include "dynid/signals/lost_rows.h"

#include "dynid/math/quantile.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dynid {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;

constexpr Index kAround = 3;        // intervals before and behind a place
constexpr Index kFewestPlaces = 3;  // fewer may be chance
constexpr double kEven = 0.2;       // largest deviation of an interval from the mean, relative
constexpr double kSeveral = 2.5;    // intervals from which on two rows or more are missing
constexpr double kSlowest = 0.5, kFastest = 1.6;  // intervals of ordinary rows
// Around one missing row, which less stands out:
constexpr double kAroundOne = 0.25;     // deviation of an ordinary row from one interval
constexpr double kOneRow = 1.75;        // least intervals where one row is missing
constexpr double kLeastBetween = 1.25;  // least intervals that are neither one nor two
constexpr double kBetween = 0.1;        // places of these per place of one missing row
constexpr double kClearMotion = 15.0;   // least increment, multiple of the noise
constexpr double kManySingles = 0.025;  // places at which one row is missing, per row
constexpr double kSameDistance = 0.15;  // relative deviation of distances that are alike
constexpr double kRegular = 0.4;        // share of distances that are alike
constexpr double kSimilar = 3.0;        // ratio of the speeds before and behind
constexpr double kStandsOut = 2.0;      // squared increments, before all else is computed
constexpr double kUnexplained = 0.1;    // of the squared increments

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
  const bool several = found >= kSeveral;
  if (!several && !(found >= kLeastBetween && size > kClearMotion * kClearMotion)) return 1.0;
  const ArrayXd here = counts.select(increments.row(k).transpose(), 0.0);
  if ((here - found * speed).square().sum() > kUnexplained * here.square().sum()) return 1.0;
  const double slowest = several ? kSlowest : 1.0 - kAroundOne;
  const double fastest = several ? kFastest : 1.0 + kAroundOne;
  for (Index row = k - kAround; row <= k + kAround; ++row) {
    const double ordinary = intervals(row);
    if (row != k && !(ordinary > slowest && ordinary < fastest)) return 1.0;
  }
  return found;
}

struct Place {
  Index row;         ///< before the place, counted over all excerpts
  double time;       ///< [s] stamp of that row
  double intervals;  ///< see intervalsAt

  bool ofSeveral() const { return intervals >= kSeveral; }
  bool ofOne() const { return intervals >= kOneRow && !ofSeveral(); }
};

/// Places that are not ordinary, between rows whose stamps are even.
std::vector<Place> unusualPlaces(std::span<const RawSignals> excerpts, const ClockModel& clock) {
  std::vector<Place> places;
  Index first = 0;
  for (const RawSignals& excerpt : excerpts) {
    if (excerpt.rows() >= 2 * kAround + 2) {
      const Eigen::ArrayXXd increments = scaledIncrements(excerpt, clock);
      const ArrayXd size = increments.square().rowwise().sum();
      for (Index k = kAround; k + kAround < increments.rows(); ++k) {
        if (!(size(k) > kStandsOut * std::max(size(k - 1), size(k + 1)))) continue;
        const double intervals = intervalsAt(increments, k);
        if (intervals > 1.0 && isEven(excerpt, k - kAround, k + kAround + 1))
          places.push_back({first + k, excerpt.time(k), intervals});
      }
    }
    first += excerpt.rows();
  }
  return places;
}

/// Whether places follow each other at one distance: the source of the positions is a little faster
/// than the log, and the stamps may be right.
bool areRegular(const std::vector<Place>& places) {
  std::vector<double> distances;
  for (size_t i = 1; i < places.size(); ++i)
    distances.push_back(static_cast<double>(places[i].row - places[i - 1].row));
  const double typical = median(distances);
  const auto alike = std::count_if(distances.begin(), distances.end(), [&](double distance) {
    return std::abs(distance - typical) <= std::max(1.0, kSameDistance * typical);
  });
  return static_cast<double>(alike) > kRegular * static_cast<double>(distances.size());
}

/// Leaves the places at which one row is missing only if they are many, clearly two intervals, and
/// irregular; those between one and two intervals are left out.
void keepClearSingles(std::vector<Place>& places, double rows) {
  std::vector<Place> singles;
  Index between = 0;
  for (const Place& place : places) {
    if (place.ofOne()) singles.push_back(place);
    if (!place.ofOne() && !place.ofSeveral()) ++between;
  }
  const auto count = static_cast<double>(singles.size());
  const bool clear = count > kManySingles * rows && !areRegular(singles) &&
                     static_cast<double>(between) <= kBetween * count;
  std::erase_if(
      places, [&](const Place& place) { return !place.ofSeveral() && !(clear && place.ofOne()); });
}

}  // namespace

std::optional<LostRows> findLostRows(std::span<const RawSignals> excerpts,
                                     const ClockModel& clock) {
  if (clock.noise.size() == 0) return std::nullopt;
  double rows = 0.0;
  for (const RawSignals& excerpt : excerpts) rows += static_cast<double>(excerpt.rows());
  std::vector<Place> places = unusualPlaces(excerpts, clock);
  keepClearSingles(places, rows);
  if (std::ssize(places) < kFewestPlaces) return std::nullopt;
  LostRows lost{.places = std::ssize(places), .first_s = places.front().time};
  for (const Place& place : places) lost.rows += std::round(place.intervals) - 1.0;
  lost.share = lost.rows / (rows + lost.rows);
  return lost;
}

}  // namespace dynid
