#pragma once

#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Blocked cross-validation of one channel's own columns (friction) on compressed statistics, the
/// shared columns (rigid body) held at given values. Folds are runs of consecutive blocks, so that
/// the held-out part is a motion that the fit has not seen. No look at the samples.
///
/// Shared columns are held because a log that excites them badly lets least squares fit anything in
/// the training folds; their values come from the physically consistent fit.
class ChannelValidation {
 public:
  /// @param held   [layout] values of the columns that are held; entries of `own` are ignored
  /// @param own    columns of this channel that may be chosen
  /// @param folds  at least 2; at most the number of blocks
  ChannelValidation(const Statistics& statistics,
                    int channel,
                    const Eigen::VectorXd& held,
                    const std::vector<int>& own,
                    int folds);

  /// What a choice does on held-out folds.
  struct Score {
    double moving = 0.0;      ///< held-out squared error of the moving rows, all folds
    Eigen::VectorXd squared;  ///< [folds] held-out squared error, moving and still rows
    double total() const { return squared.sum(); }
  };

  /// @param chosen       columns of the layout, a subset of `own`
  /// @param nonnegative  one a chosen column: its parameter is kept >= 0
  /// @param fit_still    still rows enter the fit (friction that knows presliding)
  /// @param resistance   [speeds x chosen] rows whose product with the parameters is kept >= 0
  /// (friction that does not push); without rows: none
  Score score(const std::vector<int>& chosen,
              const std::vector<bool>& nonnegative,
              bool fit_still,
              const Eigen::MatrixXd& resistance = {}) const;

 private:
  struct Gram {  // over own columns and the target, effort minus what is held
    Eigen::MatrixXd moving, still;
  };
  std::vector<int> own_;
  std::vector<Gram> folds_;
  Gram total_;
};

/// min ||X b - y||^2 with some b >= 0 from the Gram matrix of [X y]. Columns without length get
/// zero. Source: Lawson, Hanson, "Solving Least Squares Problems", chapter 23; columns without a
/// bound are always passive.
Eigen::VectorXd nonnegativeFromGram(const Eigen::MatrixXd& gram,
                                    const std::vector<bool>& nonnegative);

/// The same with rows * b >= 0 too: rows that the answer violates are added, the worst first, until
/// none is violated by more than 1e-6 of the largest product. Each problem is solved in its dual,
/// where the rows are bounds of the multipliers (Lawson, Hanson, chapter 23).
Eigen::VectorXd boundedFromGram(const Eigen::MatrixXd& gram,
                                const std::vector<bool>& nonnegative,
                                const Eigen::MatrixXd& rows);

}  // namespace dynid
