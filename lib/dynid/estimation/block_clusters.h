#pragma once

#include <vector>

namespace dynid {

/// The time interval of a log that a block of the statistics covers.
struct BlockSpan {
  int log = 0;
  double begin_s = 0.0, end_s = 0.0;  ///< [s] since the start of the log
};

/// The properties of a log that clusterBlocks needs.
struct LogSpan {
  double duration_s = 0.0;
  /// [s] period of the motion (motionPeriod); 0: the motion does not repeat
  double period_s = 0.0;
};

/// Groups of blocks whose residuals may be correlated. Blocks of different groups are taken as
/// independent. Each list has one group label per block.
struct BlockClusters {
  std::vector<int> time;  ///< neighbours in time; empty: every block is its own group
  /// Blocks at the same phase of a periodic motion, in all repetitions: a model error repeats with
  /// the motion. Empty if no log repeats its motion.
  std::vector<int> phase;
};

/// Clusters in one period of the motion.
inline constexpr double kClustersPerPeriod = 16.0;

/// Groups blocks into clusters of length T_i / 16, where T_i is the period of log i or, if its
/// motion does not repeat, its duration.
///
/// The number 16 was chosen on real logs: with 12 to 32 clusters the parameters of two halves of a
/// log differ as their confidence intervals predict. Longer clusters leave too few independent
/// pieces, shorter ones cut the correlation of the residual. A log has at most 48 clusters in time
/// (neighbours are joined), which limits the computation for long logs of a short periodic motion.
BlockClusters clusterBlocks(const std::vector<BlockSpan>& blocks, const std::vector<LogSpan>& logs);

}  // namespace dynid
