#pragma once

#include "dynid/equations/row_block.h"
#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// The rows of one window for one channel and block: compressed where they are many, as they are
/// where adding them in order is cheaper. Which of the two depends on the rows alone, so results do
/// not depend on the threads.
struct RowPiece {
  int block = 0;
  TriangularFactor moving, still;
  Eigen::MatrixXd moving_rows, still_rows;

  /// Rows of samples at which the channel moves, and of those at which it stands still.
  void set(const Eigen::Ref<const Eigen::MatrixXd>& rows,
           const std::vector<Eigen::Index>& moving_samples,
           const std::vector<Eigen::Index>& still_samples);
  void addTo(ChannelStatistics& channel) const;
};

/// Fewer rows than this many times the columns are not worth a factor of their own.
inline constexpr Eigen::Index kRowsAColumn = 2;

}  // namespace dynid
