#pragma once

#include "dynid/validation/validation.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Squared errors of a model summed over consecutive blocks of a log, per joint. If there are more
/// than `max_blocks`, neighbouring blocks are merged, so that memory is bounded. Two models on the
/// same log have the same blocks.
class BlockErrors {
 public:
  /// @param rows_per_block  initial length of a block; at least 1
  BlockErrors(Eigen::Index joints, Eigen::Index rows_per_block, size_t max_blocks = 4096);

  /// Adds consecutive rows, [rows x joints]. Samples that are not finite are left out.
  void add(const Eigen::Ref<const Eigen::MatrixXd>& measured,
           const Eigen::Ref<const Eigen::MatrixXd>& predicted);

  /// Sums over one block.
  struct Block {
    Eigen::ArrayXd errors, measured, count;  ///< [joints] sums of squares, and number of samples
    Eigen::Index rows = 0;
  };
  /// Complete blocks. The last one may be shorter; it is then dropped unless it is the only one.
  std::vector<Block> blocks() const;
  Eigen::Index rowsPerBlock() const { return rows_per_block_; }

 private:
  Eigen::Index joints_, rows_per_block_;
  size_t max_blocks_;
  std::vector<Block> blocks_;
};

/// Result of a paired test of means.
struct PairedTest {
  double mean = 0.0;     ///< mean difference
  double p_value = 1.0;  ///< two-sided, Student's t distribution
  double degrees_of_freedom = 0.0;
  size_t batches = 0;
  size_t batch_length = 1;  ///< number of differences in a batch
};

/// Tests whether the mean of an autocorrelated series is zero, by batch means (Schmeiser 1982;
/// Alexopoulos, Seila 1996). Neighbouring values are merged until the lag-1 correlation of the
/// batches is small or only 20 batches are left. A remaining correlation widens the interval as for
/// a first-order process.
PairedTest testMean(const std::vector<double>& differences);

/// Determines which of two models explains the same log better, from blockwise paired differences
/// of the whitened squared errors (other minus ours). The errors of each joint are divided by the
/// mean square of both models, so that no joint dominates.
/// @param seconds_per_row  [s] sample interval, for the message
Comparison comparePaired(const std::string& other_name,
                         const BlockErrors& ours,
                         const BlockErrors& other,
                         double seconds_per_row);

}  // namespace dynid
