#include "dynid/identification/recording_clusters.h"

#include <algorithm>

namespace dynid {

BlockClusters blockClusters(const Recordings& recordings) {
  std::vector<BlockSpan> blocks;
  std::vector<LogSpan> logs;
  for (const Stretch& stretch : recordings.stretches) {
    if (stretch.first_block < std::ssize(blocks)) {  // shares the block of the previous log
      logs.back().duration_s = std::max(logs.back().duration_s, stretch.duration_s);
      logs.back().period_s = 0.0;
    } else {
      logs.push_back({stretch.duration_s, stretch.period_s});
    }
    const auto log = static_cast<int>(logs.size()) - 1;
    const double length = recordings.block_s;
    for (int b = 0; b < stretch.num_blocks; ++b) {
      if (stretch.first_block + b < std::ssize(blocks)) continue;
      const bool last = b + 1 == stretch.num_blocks;
      blocks.push_back({log, b * length, last ? stretch.duration_s : (b + 1) * length});
    }
  }
  return clusterBlocks(blocks, logs);
}

}  // namespace dynid
