#pragma once

#include "dynid/estimation/least_squares.h"
#include "dynid/regression/statistics.h"

#include <Eigen/Core>

namespace dynid {

/// Covariance of a weighted least-squares estimate that knows about autocorrelation.
struct Covariance {
  Eigen::MatrixXd matrix;   ///< [p x p] of beta; rows and columns of unexcited parameters are zero
  Eigen::VectorXd std_dev;  ///< [p]; infinite for unexcited parameters
  Eigen::VectorXd degrees_of_freedom;  ///< [p] of each variance; 0 for unexcited parameters
  /// [p] half the width of the 95 % interval: Student's quantile times the standard deviation;
  /// infinite for unexcited parameters.
  Eigen::VectorXd half_width;
};

/// Jackknife over the consecutive blocks of the logs, leverage taken off halfway (CR2): with X_b,
/// e_b a block's whitened rows and residuals, G = X^T X,
///
///     Cov = sum_b d_b d_b^T,   d_b = G^-1 X_b^T (1 - X_b G^-1 X_b^T)^(-1/2) e_b
///
/// Blocks longer than the residual's correlation make it valid for filtered, correlated residuals
/// and for channels with different noise, without a model of either. The root keeps it unbiased
/// where few blocks carry a parameter; there it is also uncertain itself, so every parameter's
/// interval has its own degrees of freedom, those of the variance under white noise. Source: Bell,
/// McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage samples",
/// 2002.
///
/// A parameter that a single block determines has no finite variance.
Covariance jackknifeCovariance(const Statistics& statistics,
                               const Estimate& estimate,
                               const LeastSquaresOptions& options);

}  // namespace dynid
