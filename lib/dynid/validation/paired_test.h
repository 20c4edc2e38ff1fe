#pragma once

#include "dynid/validation/validation.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Squared errors of a model summed over consecutive stretches of a log, per joint. When there are
/// more than `max_blocks`, neighbours are merged, so that the memory is bounded. Two models on the
/// same log have the same stretches.
class BlockErrors {
 public:
  /// @param rows_per_block  at the start; at least 1
  BlockErrors(Eigen::Index joints, Eigen::Index rows_per_block, size_t max_blocks = 4096);

  /// Consecutive rows, [rows x joints]. Samples that are not finite are left out.
  void add(const Eigen::Ref<const Eigen::MatrixXd>& measured,
           const Eigen::Ref<const Eigen::MatrixXd>& predicted);

  struct Block {
    Eigen::ArrayXd errors, measured, count;  ///< [joints] sums of squares, and samples
    Eigen::Index rows = 0;
  };
  /// Complete blocks (the last one may be shorter and is dropped unless it is the only one).
  std::vector<Block> blocks() const;
  Eigen::Index rowsPerBlock() const { return rows_per_block_; }

 private:
  Eigen::Index joints_, rows_per_block_;
  size_t max_blocks_;
  std::vector<Block> blocks_;
};

/// What a paired test of the means says.
struct PairedTest {
  double mean = 0.0;     ///< of the differences
  double p_value = 1.0;  ///< two-sided, Student's t
  double degrees_of_freedom = 0.0;
  size_t batches = 0;
  size_t batch_length = 1;  ///< differences in a batch
};

/// Is the mean of an autocorrelated series zero? Batch means (Schmeiser 1982; Alexopoulos, Seila
/// 1996): neighbours are merged until the batches' lag-1 correlation is small or only 20 are left;
/// what correlation remains widens the interval as for a first-order process.
PairedTest testMean(const std::vector<double>& differences);

/// Which of two models explains the same log better: block-wise paired differences of the whitened
/// squared errors (other minus ours; each joint divided by the mean square of both models, so that
/// no joint dominates).
/// @param seconds_per_row  for the message
Comparison comparePaired(const std::string& other_name,
                         const BlockErrors& ours,
                         const BlockErrors& other,
                         double seconds_per_row);

}  // namespace dynid
