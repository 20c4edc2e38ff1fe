#include "dynid/estimation/block_clusters.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace dynid {
namespace {

constexpr double kMostInTime = 48.0;  // per log

// Assigns consecutive numbers to (log, position) pairs in order of their first occurrence.
// Positions are whole numbers, which may be beyond an integer in logs without a length.
class Labels {
 public:
  int of(int log, double position) {
    return known_.emplace(std::pair(log, position), static_cast<int>(known_.size())).first->second;
  }

 private:
  std::map<std::pair<int, double>, int> known_;
};

}  // namespace

BlockClusters clusterBlocks(const std::vector<BlockSpan>& blocks,
                            const std::vector<LogSpan>& logs) {
  BlockClusters clusters;
  Labels time, phase;
  bool repeats = false;
  for (const BlockSpan& block : blocks) {
    const LogSpan& log = *std::next(logs.begin(), block.log);
    const double period = log.period_s > 0.0 ? log.period_s : log.duration_s;
    const double length = std::max(period / kClustersPerPeriod, 1e-300);
    const double length_in_time = std::max(length, log.duration_s / kMostInTime);
    const double middle = 0.5 * (block.begin_s + block.end_s);
    clusters.time.push_back(time.of(block.log, std::floor(middle / length_in_time)));
    clusters.phase.push_back(
        phase.of(block.log, std::floor((middle - period * std::floor(middle / period)) / length)));
    repeats |= log.period_s > 0.0;
  }
  if (!repeats) clusters.phase.clear();
  return clusters;
}

}  // namespace dynid
