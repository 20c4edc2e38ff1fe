#pragma once

#include "dynid/friction/select_effects.h"
#include "dynid/identification/consistent_fit.h"
#include "dynid/statistics/gather.h"

#include <vector>

namespace dynid {

/// How a regression is fitted.
struct FitOptions {
  bool robust = true;       ///< see LeastSquaresOptions
  bool scale_known = true;  ///< false: parameters carry one common unknown factor
  PhysicalFitOptions physical;
};

/// Least squares and the physically consistent fit of one choice of friction.
struct Fit {
  EffectChoice choice;
  Estimate estimate;         ///< over fittedColumns
  ConsistentFit consistent;  ///< of the whole layout
  /// [layout] Those of the consistent fit; where that failed, least squares at the fitted columns.
  Eigen::VectorXd parameters;
};

/// Alternates between the physically consistent fit (given the friction columns) and the choice of
/// friction by cross-validation (given the rigid body), and fits the result. Where excitation is
/// poor, least squares alone would fit anything. Without candidates of friction the plain columns
/// are fitted.
Fit fitModel(const Recordings& recordings, const Regression& regression, const FitOptions& options);

/// The same choice, fitted with the prior of the options (PhysicalFitOptions::prior_weight).
Fit refit(const Recordings& recordings,
          const Regression& regression,
          const Fit& fit,
          const FitOptions& options);

/// The weight of the prior at which held-out blocks are predicted best: 8 folds of consecutive
/// blocks, weights from 10^-2 to 10^4 of chi-square in half decades, the error over the whitened
/// rows of all channels. Works on the block factors; channel noise, block weights and the rows of
/// passive friction are those of `fit`.
///
/// Where noise is correlated chi-square counts too much, so that a fixed weight (or one unit of
/// chi-square) trusts data that say nothing about single masses.
///
/// @returns 0 where there are fewer than two blocks, no fit succeeds, or the data are exact to a
/// thousandth of the effort
double choosePriorWeight(const Recordings& recordings,
                         const Regression& regression,
                         const Fit& fit,
                         const FitOptions& options);

/// The physically consistent fits of the same choice that leave out one fold of consecutive blocks
/// each.
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
