#pragma once

#include "dynid/equations/row_block.h"
#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// The rows of one window, channel and block. Many rows are compressed to a triangular factor; few
/// rows are kept, because adding them directly is cheaper. The choice depends on the rows only, so
/// results do not depend on the number of threads.
struct RowPiece {
  int block = 0;
  TriangularFactor moving, standstill;
  Eigen::MatrixXd moving_rows, standstill_rows;

  /// Sets the rows: those of samples at which the channel moves and those at which it is at
  /// standstill.
  void set(const Eigen::Ref<const Eigen::MatrixXd>& rows,
           const std::vector<Eigen::Index>& moving_samples,
           const std::vector<Eigen::Index>& standstill_samples);
  /// Adds the rows to the factors of the block in `channel`, and frees their memory.
  void moveTo(ChannelStatistics& channel);
};

/// Rows are compressed only if there are at least this many per column.
inline constexpr Eigen::Index kRowsPerColumn = 2;

}  // namespace dynid
