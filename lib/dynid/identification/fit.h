#pragma once

#include "dynid/friction/select_effects.h"
#include "dynid/identification/consistent_fit.h"
#include "dynid/statistics/gather.h"

#include <vector>

namespace dynid {

/// How a regression is fitted.
struct FitOptions {
  bool robust = true;       ///< see LeastSquaresOptions
  bool scale_known = true;  ///< false: parameters have one common unknown factor
  int threads = 1;          ///< the result does not depend on it
  PhysicalFitOptions physical;
};

/// Least squares and the physically consistent fit of one choice of friction.
struct Fit {
  EffectChoice choice;
  Estimate estimate;         ///< over fittedColumns
  ConsistentFit consistent;  ///< of the whole layout
  /// [layout] of the consistent fit; if that failed, the least-squares values at the fitted columns
  /// and zero elsewhere.
  Eigen::VectorXd parameters;
};

/// combinationOf for the fitted columns of a regression. Friction candidates that are not among
/// them have no entries: they do not exist in that fit.
Eigen::MatrixXd combinationOf(const Regression& regression, const std::vector<int>& columns);

/// The physical options for fits to a part of the data. The bound on the overall size is the one to
/// which the fit of all data widened it; it is not widened again.
PhysicalFitOptions physicalOptionsOfPart(const FitOptions& options, const Fit& whole);

/// Alternates between the physically consistent fit (with given friction columns) and the selection
/// of friction by cross-validation (with the rigid body of that fit), and fits the result. The
/// physical constraints are needed here because with poor excitation an unconstrained fit can make
/// any friction term look useful. Without candidates of friction the plain columns are fitted. All
/// fits have the stages of the options.
Fit fitModel(const Recordings& recordings, const Regression& regression, const FitOptions& options);

/// Refits the same selection of columns with the same block weights and the second stage or the
/// prior of the options. With a prior the channel noise is that of `fit`, residuals of the
/// consistent parameters.
Fit refit(const Recordings& recordings,
          const Regression& regression,
          const Fit& fit,
          const FitOptions& options);

/// The weight of the prior with the smallest prediction error on held-out blocks: 8 folds of
/// consecutive blocks, weights from 10^-2 to 10^4 of chi-square in half decades, error over the
/// whitened rows of all channels. Uses the block factors; channel noise, block weights and the rows
/// of passive friction are those of `fit`.
///
/// The weight is not fixed because correlated noise makes chi-square too large: a fixed weight (or
/// one unit of chi-square) would then give too much confidence to data that do not determine single
/// masses.
///
/// @returns 0 if there are fewer than two blocks, no fit succeeds, or the residual is below a
/// thousandth of the effort
double choosePriorWeight(const Recordings& recordings,
                         const Regression& regression,
                         const Fit& fit,
                         const FitOptions& options);

/// Physically consistent fits with the same columns and block weights; each leaves out one fold of
/// consecutive blocks. With a weight of the prior they are fits with prior, else those of the first
/// stage.
struct FoldFits {
  std::vector<int> fold_of_block;
  std::vector<Eigen::VectorXd> parameters;  ///< [folds], each [layout]
};
FoldFits fitFolds(const Recordings& recordings,
                  const Regression& regression,
                  const Fit& fit,
                  int folds,
                  const FitOptions& options);

}  // namespace dynid
