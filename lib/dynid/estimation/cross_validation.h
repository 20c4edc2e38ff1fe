#pragma once

#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// foldsOfBlocks with at least two folds and at most one per block.
std::vector<int> validationFolds(const Statistics& statistics, int folds);

/// Blocked cross-validation of the columns that only one channel has (friction), on compressed
/// statistics. The parameters of the shared columns (rigid body) are held at given values. Each
/// fold consists of consecutive blocks, so that the held-out part is a motion that the fit has not
/// seen. No samples are read.
///
/// The shared parameters are held because a log that excites them badly would let least squares fit
/// them to anything in the training folds; their values come from the physically consistent fit.
class ChannelValidation {
 public:
  /// @param held   [layout] values of the held parameters; entries of columns in `candidates` are
  /// ignored
  /// @param candidates    columns of this channel from which a subset may be chosen
  /// @param fold_of_block  validationFolds, the same for all channels
  ChannelValidation(const Statistics& statistics,
                    int channel,
                    const Eigen::VectorXd& held,
                    const std::vector<int>& candidates,
                    const std::vector<int>& fold_of_block);

  /// The error of a choice of columns on the held-out folds.
  struct Score {
    Eigen::VectorXd moving;  ///< [folds] held-out squared error of the moving rows
    /// [folds] held-out squared error of moving rows and rows at standstill
    Eigen::VectorXd squared;
    double total() const { return squared.sum(); }
  };

  /// @param chosen       columns of the layout, a subset of `candidates`
  /// @param nonnegative  one per chosen column: whether its parameter is constrained to >= 0
  /// @param fit_standstill  whether rows at standstill enter the fit (friction models with
  /// presliding)
  /// @param resistance   [speeds x chosen] rows whose product with the parameters is constrained to
  ///     >= 0, so that friction is passive; without rows: no constraint
  Score score(const std::vector<int>& chosen,
              const std::vector<bool>& nonnegative,
              bool fit_standstill,
              const Eigen::MatrixXd& resistance = {}) const;

 private:
  struct Gram {  // over the columns of `candidates` and the target, effort minus the held part
    Eigen::MatrixXd moving, standstill;
  };
  std::vector<int> candidates_;
  std::vector<Gram> folds_;
  Gram total_;
};

/// Minimises ||X b - y||^2 with some entries of b >= 0, from the Gram matrix of [X y]. Zero columns
/// get zero parameters. Source: Lawson, Hanson, "Solving least squares problems", chapter 23
/// (NNLS); columns without a bound are always in the passive set.
Eigen::VectorXd nonnegativeFromGram(const Eigen::MatrixXd& gram,
                                    const std::vector<bool>& nonnegative);

/// The same with the additional constraints rows * b >= 0. Violated constraints are added, the most
/// violated first, until none is violated by more than 1e-6 of the largest product. Each of these
/// problems is solved in its dual, where the constraints become bounds of the multipliers (Lawson,
/// Hanson, chapter 23).
Eigen::VectorXd boundedFromGram(const Eigen::MatrixXd& gram,
                                const std::vector<bool>& nonnegative,
                                const Eigen::MatrixXd& rows);

}  // namespace dynid
