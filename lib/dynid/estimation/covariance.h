#pragma once

#include <Eigen/Core>

#include "dynid/estimation/least_squares.h"
#include "dynid/regression/statistics.h"

namespace dynid {

/// Covariance of a weighted least-squares estimate that knows about autocorrelation.
struct Covariance {
  Eigen::MatrixXd matrix;    ///< [p x p] of beta; rows and columns of unexcited parameters are zero
  Eigen::VectorXd std_dev;   ///< [p]; infinite for unexcited parameters
  double t_quantile = 1.96;  ///< half-width of the 95 % interval in standard deviations
  double degrees_of_freedom = 0.0;
};

/// Delete-a-block jackknife over the consecutive blocks of the logs:
///
///     Cov = (B - 1)/B sum_b (beta_(-b) - mean)(beta_(-b) - mean)^T
///
/// Blocks longer than the residual's correlation make it valid for filtered, correlated residuals and for channels with
/// different noise, without a model of either (block sandwich, leverage-corrected: Efron, Stein 1981; CR3 of MacKinnon, White
/// 1985). Intervals use Student's t with B - 1 degrees of freedom.
Covariance jackknifeCovariance(const Statistics& statistics,
                               const Estimate& estimate,
                               const LeastSquaresOptions& options);

}  // namespace dynid
