#pragma once

#include "dynid/regression/triangular_factor.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// The compressed regression: for each effort channel (actuator) and each block of consecutive
/// samples, the triangular factor of [Y | tau]. Everything after the pass over the logs is computed
/// from it: weights, choice of columns, cross-validation, covariance and the physically consistent
/// fit.
///
/// Rows in which the joint of the channel moves and rows at standstill are kept apart. Inside the
/// stiction band the friction force can take any value up to the breakaway force; therefore rows at
/// standstill are used to judge predictions but not to fit parameters, unless the friction model
/// includes presliding (with a small weight: standstillWeights).
struct ChannelStatistics {
  /// Columns of the layout, ascending. The last column of the factors is the effort.
  std::vector<int> columns;
  std::vector<TriangularFactor> moving, standstill;  ///< one factor per block
};

/// The compressed regression of all channels and blocks.
struct Statistics {
  int layout_size = 0;                      ///< number of columns of the layout
  std::vector<ChannelStatistics> channels;  ///< one per effort channel
  std::vector<int> block_log;               ///< index of the log to which each block belongs

  int numBlocks() const { return static_cast<int>(block_log.size()); }
  int numChannels() const { return static_cast<int>(channels.size()); }
  /// Number of moving rows of a channel over all blocks.
  double movingRows(int channel) const;
};

/// The fold of cross-validation of each block, [blocks], in [0, folds). A fold is a consecutive
/// part of the logs, so that noise that is correlated in time does not connect it with the others.
/// If a fold would then contain more than 60 % of the moving rows of a channel (joints that move
/// one after another) or nearly all of a column (a payload that one log has), the blocks are
/// assigned to the folds in turn.
/// @param folds  1 <= folds <= numBlocks()
std::vector<int> foldsOfBlocks(const Statistics& statistics, int folds);

/// Weights of the blocks in a fit, [channels x blocks]. Rows are multiplied by the weight (not by
/// its square root); 0 excludes a block.
using BlockWeights = Eigen::MatrixXd;

}  // namespace dynid
