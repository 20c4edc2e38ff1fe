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
