#pragma once

#include "dynid/regression/triangular_factor.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// The compressed regression: per effort channel (actuator) and block of consecutive samples the
/// triangular factor of [Y | tau]. Everything after the pass over the logs starts from it: weights,
/// column choice, cross-validation, covariance, the physical fit.
///
/// Rows in which the channel's joint moves and rows in which it stands still are kept apart:
/// friction inside the stiction band is anything, so the still rows judge predictions but do not
/// fit parameters (unless the friction model knows presliding).
struct ChannelStatistics {
  std::vector<int> columns;  ///< of the layout, ascending; the factors' last column is the effort
  std::vector<TriangularFactor> moving, still;  ///< one a block
};

struct Statistics {
  int layout_size = 0;
  std::vector<ChannelStatistics> channels;
  std::vector<int> block_log;  ///< which log each block belongs to

  int numBlocks() const { return static_cast<int>(block_log.size()); }
  int numChannels() const { return static_cast<int>(channels.size()); }
  /// Rows of a channel that move (all blocks).
  double movingRows(int channel) const;
};

/// Weights of blocks in a fit: [channels x blocks], multiplied onto the rows (not squared); 0
/// leaves a block out.
using BlockWeights = Eigen::MatrixXd;

}  // namespace dynid
