#include "dynid/identification/residual_bursts.h"

#include "dynid/core/text.h"
#include "dynid/estimation/residual.h"
#include "dynid/math/quantile.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;

constexpr Index kBlocksOverStretch = 10;
// Contacts of 1 s in simulated logs reach 0.75 to 1 in every channel, 40 to 180 times the median
// and 6 to 20 % of the effort. Right logs of nine real robots reach 0.7 and 10 in at most two of
// eight channels at the same time.
constexpr double kBurstOfResidual = 0.7, kBurstOverMedian = 10.0, kLeastBurst = 0.04;
constexpr Index kChannelsOverBurst = 3;

/// Residuals of one channel in the blocks of one log.
struct BlockResiduals {
  std::vector<double> squared;  // [blocks]
  double effort = 0.0;          // squared

  double total() const { return std::accumulate(squared.begin(), squared.end(), 0.0); }
};

/// A stretch of blocks that holds most of the residual of a channel.
struct Burst {
  Index first = 0;
  double over_median = 0.0;
};

std::optional<Burst> burstOf(const ChannelStatistics& channel,
                             const std::vector<int>& blocks,
                             const std::vector<int>& columns,
                             const Eigen::VectorXd& beta) {
  const auto shared = sharedColumns(channel, columns);
  BlockResiduals residuals;
  std::vector<double> means;  // of a row
  for (const int b : blocks) {
    const TriangularFactor& block = channel.moving[b];
    const bool moves = block.rows() > 0.0;
    residuals.squared.push_back(moves ? squaredResidual(block, shared, beta) : 0.0);
    if (!moves) continue;
    residuals.effort += squaredEffort(block);
    means.push_back(residuals.squared.back() / block.rows());
  }
  if (std::ssize(means) < kBlocksOverStretch) return std::nullopt;
  const double total = residuals.total();
  const double largest = *std::max_element(means.begin(), means.end());
  Burst burst{0, std::sqrt(largest / median(means))};
  if (!(burst.over_median > kBurstOverMedian) ||
      !(total > kLeastBurst * kLeastBurst * residuals.effort))
    return std::nullopt;
  const Index length = std::ssize(blocks) / kBlocksOverStretch;
  double most = 0.0;
  for (Index first = 0; first + length <= std::ssize(blocks); ++first) {
    const auto begin = residuals.squared.begin() + first;
    const double sum = std::accumulate(begin, begin + length, 0.0);
    if (sum <= most) continue;
    most = sum;
    burst.first = first;
  }
  if (!(most > kBurstOfResidual * total)) return std::nullopt;
  return burst;
}

/// Time since the first row of the log at which so many seconds of the used part are recorded.
double timeAt(const LogSource& source, double recorded_s) {
  const double origin = source.plan().clock.origin;
  double low = origin, high = origin + recorded_s + 1.0;
  while (source.recordedTime(high) < recorded_s) high += high - origin;
  while (high - low > 1e-3) {
    const double middle = 0.5 * (low + high);
    (source.recordedTime(middle) < recorded_s ? low : high) = middle;
  }
  return high - source.plan().start_s;
}

Finding burstFinding(const OpenedLog& log,
                     const std::vector<std::string>& names,
                     Index first,
                     double over_median) {
  const Index length = log.blocks.count / kBlocksOverStretch;
  return {
      Finding::Severity::kWarning,
      "residual-burst",
      -1,
      fmt::format("from about {:.3g} s to {:.3g} s the efforts of {} do not follow from the "
                  "motion: there the fit leaves up to {:.0f} times what it leaves elsewhere",
                  timeAt(*log.source, log.blocks.length_s * static_cast<double>(first)),
                  timeAt(*log.source, log.blocks.length_s * static_cast<double>(first + length)),
                  join(names),
                  over_median),
      over_median,
      "a contact, a hand on the robot, a load, or damaged rows: leave that part out (`from_s`, "
      "`to_s`), or record the log again"};
}

/// Channels that burst in overlapping stretches: the largest group, as places in `bursts`.
std::vector<Index> together(const std::vector<std::optional<Burst>>& bursts, Index length) {
  std::vector<Index> best;
  for (const std::optional<Burst>& reference : bursts) {
    if (!reference) continue;
    std::vector<Index> group;
    for (Index c = 0; c < std::ssize(bursts); ++c)
      if (bursts[c] && std::abs(bursts[c]->first - reference->first) < length) group.push_back(c);
    if (group.size() > best.size()) best = std::move(group);
  }
  return best;
}

}  // namespace

void reportBursts(const Recordings& recordings,
                  const Regression& regression,
                  const Eigen::VectorXd& parameters) {
  const Statistics& statistics = *regression.statistics;
  const std::vector<int>& columns = regression.base.independent;
  const Eigen::VectorXd beta = regression.base.combination() * parameters;
  const Index drives = std::ssize(recordings.robot->drives);
  Index moving = 0;
  for (Index a = 0; a < drives; ++a) moving += statistics.movingRows(static_cast<int>(a)) > 0.0;
  const Index fewest =
      std::max(std::min<Index>(2, moving), (moving + kChannelsOverBurst - 1) / kChannelsOverBurst);
  for (const OpenedLog& log : recordings.logs) {
    const Index length = log.blocks.count / kBlocksOverStretch;
    if (length < 1 || fewest < 1) continue;
    std::vector<int> blocks(log.blocks.count);
    std::iota(blocks.begin(), blocks.end(), log.blocks.first);
    std::vector<std::optional<Burst>> bursts;
    for (Index a = 0; a < drives; ++a)
      bursts.push_back(burstOf(statistics.channels[a], blocks, columns, beta));
    const std::vector<Index> group = together(bursts, length);
    if (std::ssize(group) < fewest) continue;
    std::vector<std::string> names;
    Burst most;
    for (const Index a : group) {
      names.push_back(recordings.robot->drives[a].name);
      if (bursts[a]->over_median > most.over_median) most = *bursts[a];
    }
    log.source->addFinding(burstFinding(log, names, most.first, most.over_median));
  }
}

}  // namespace dynid
