#include "dynid/identification/clock_drift.h"

#include "dynid/estimation/effort_delay.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>
#include <vector>

namespace dynid {
namespace {

using Channels = std::vector<std::vector<ShiftMoments>>;

constexpr double kLeastDrift = 0.006;  // [s]
// In standard deviations: the drift of all channels, and of one. Right logs of nine real robots and
// of six simulated ones have at most 1.7 for all. A drift within the halves widens them: the parts
// of a half have different delays.
constexpr double kSignificantDrift = 3.0, kSignificantOfOne = 2.5;
constexpr Eigen::Index kFewestDrifting = 2;

std::optional<std::pair<Channels, Channels>> halvesOf(const DelayMoments& moments) {
  std::pair<Channels, Channels> halves;
  if (!moments.later.empty()) {
    halves = {moments.channels, moments.later};
    for (size_t a = 0; a < moments.later.size(); ++a)
      for (size_t part = 0; part < moments.later[a].size(); ++part) {
        halves.first[a][part].gram -= moments.later[a][part].gram;
        halves.first[a][part].rows -= moments.later[a][part].rows;
      }
    return halves;
  }
  if (moments.unrepeated < 1.0) return std::nullopt;
  for (const std::vector<ShiftMoments>& parts : moments.channels) {
    const auto middle = parts.begin() + std::ssize(parts) / 2;
    halves.first.emplace_back(parts.begin(), middle);
    halves.second.emplace_back(middle, parts.end());
  }
  return halves;
}

/// Whether a channel has enough rows for a fit without any one of its parts.
bool enoughRowsOfHalf(const std::vector<ShiftMoments>& parts, Eigen::Index shifts) {
  double rows = 0.0, largest = 0.0;
  for (const ShiftMoments& part : parts) {
    rows += part.rows;
    largest = std::max(largest, part.rows);
  }
  return rows - largest >= 2.0 * static_cast<double>(parts.front().gram.rows() - shifts);
}

/// Leaves out channels whose joints hardly move in one of the halves.
void keepMoving(std::pair<Channels, Channels>& halves, Eigen::Index shifts) {
  Channels first, second;
  for (size_t a = 0; a < halves.first.size(); ++a) {
    if (!enoughRowsOfHalf(halves.first[a], shifts) || !enoughRowsOfHalf(halves.second[a], shifts))
      continue;
    first.push_back(std::move(halves.first[a]));
    second.push_back(std::move(halves.second[a]));
  }
  halves = {std::move(first), std::move(second)};
}

}  // namespace

std::optional<ClockDrift> findClockDrift(const DelayMoments& moments, int threads) {
  auto halves = halvesOf(moments);
  if (!halves) return std::nullopt;
  keepMoving(*halves, moments.shifts);
  if (halves->first.empty()) return std::nullopt;
  const EffortDelays first(halves->first, moments.shifts, moments.step, threads);
  const EffortDelays second(halves->second, moments.shifts, moments.step, threads);
  std::vector<Eigen::Index> all(halves->first.size());
  std::iota(all.begin(), all.end(), 0);
  const auto both = [&](const std::vector<Eigen::Index>& channels) {
    return std::pair{first.of(channels), second.of(channels)};
  };
  const auto significant = [](const std::pair<EffortDelay, EffortDelay>& of, double deviations) {
    const double change = of.second.delay - of.first.delay;
    return of.first.inside_range && of.second.inside_range &&
           std::abs(change) > deviations * std::hypot(of.first.std_dev, of.second.std_dev);
  };
  const auto common = both(all);
  const double change = common.second.delay - common.first.delay;
  Eigen::Index drifting = 0, opposite = 0;
  for (const Eigen::Index channel : all) {
    const auto own = both({channel});
    if (!significant(own, kSignificantOfOne)) continue;
    ++((own.second.delay - own.first.delay) * change > 0.0 ? drifting : opposite);
  }
  if (!significant(common, kSignificantDrift) || !(std::abs(change) > kLeastDrift) ||
      drifting < std::min<Eigen::Index>(kFewestDrifting, std::ssize(all)) || opposite > 0)
    return std::nullopt;
  return ClockDrift{common.first.delay, common.second.delay};
}

Finding findingOf(const ClockDrift& drift) {
  return {Finding::Severity::kWarning,
          "clock-drift",
          -1,
          fmt::format("positions and efforts have different clocks: the efforts are {:.1f} ms {} "
                      "in the first half of the log and {:.1f} ms {} in the second",
                      1e3 * std::abs(drift.first),
                      drift.first < 0.0 ? "early" : "late",
                      1e3 * std::abs(drift.second),
                      drift.second < 0.0 ? "early" : "late"),
          drift.second - drift.first,
          "stamp positions and efforts with the same clock, or identify from a short part of the "
          "log (`from_s`, `to_s`)"};
}

}  // namespace dynid
