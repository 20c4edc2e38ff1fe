#pragma once

#include <vector>

namespace dynid {

/// A block of the statistics as a stretch of time of one log.
struct BlockSpan {
  int log = 0;
  double begin_s = 0.0, end_s = 0.0;  ///< since the start of the log
};

/// One log, as far as the clusters need it.
struct LogSpan {
  double duration_s = 0.0;
  double period_s = 0.0;  ///< the motion repeats after this (motionPeriod); 0: it does not
};

/// Groups of blocks whose residuals may depend on each other; blocks of different groups are taken
/// to be independent. One label per block in each list.
struct BlockClusters {
  std::vector<int> time;  ///< neighbours in time; empty: every block is a group of its own
  /// The same part of the motion in all repetitions: an error of the model repeats with the motion.
  /// Empty where no log repeats its motion.
  std::vector<int> phase;
};

/// Clusters of length T_i / 16, where T_i is the period of the log or, where the motion does not
/// repeat, its duration: as many independent pieces as the motion has.
///
/// 16 lies in the middle of the 12 to 32 pieces for which parameters of two halves of real logs
/// differ as their intervals say; longer clusters leave too few pieces, shorter ones cut the
/// correlation of the residual. A log has at most 48 clusters in time (neighbours are joined),
/// which bounds the cost of long logs of a short motion.
BlockClusters clusterBlocks(const std::vector<BlockSpan>& blocks, const std::vector<LogSpan>& logs);

}  // namespace dynid
