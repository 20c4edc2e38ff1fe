#pragma once

#include <Eigen/Core>
#include <vector>

#include "dynid/regression/statistics.h"

namespace dynid {

/// Blocked cross-validation on compressed statistics: folds are runs of consecutive blocks, so that the held-out part is a motion
/// that the fit has not seen. Costs no look at the samples.
class CrossValidation {
 public:
  /// @param sigma  noise of each channel (weights)
  /// @param folds  2 or more; at most the number of blocks
  CrossValidation(const Statistics& statistics, const Eigen::VectorXd& sigma, int folds);

  int folds() const { return folds_; }

  /// Held-out squared error of each fold, summed over the rows of the channels that share a column with `judged` (whitened by
  /// sigma; moving rows, and still rows where `count_still`), for the fit of `columns` on the other folds.
  /// @param use_still  one a channel: still rows enter the fit
  /// @returns [folds]
  Eigen::VectorXd heldOutError(const std::vector<int>& columns,
                               int channel,
                               const std::vector<bool>& use_still,
                               bool count_still) const;
  /// Rows of a channel by fold, as judged.
  Eigen::VectorXd rows(int channel, bool count_still) const;

 private:
  struct Gram {
    Eigen::MatrixXd moving, still;  // [X tau]^T [X tau] / sigma^2
    double moving_rows = 0.0, still_rows = 0.0;
  };
  Eigen::VectorXd solveWithout(int fold,
                               const std::vector<int>& columns,
                               const std::vector<bool>& use_still) const;

  const Statistics& statistics_;
  int folds_;
  std::vector<std::vector<Gram>> grams_;  // [channel][fold]
  std::vector<Gram> totals_;              // [channel]
};

}  // namespace dynid
