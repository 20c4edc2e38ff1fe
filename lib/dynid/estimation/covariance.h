#pragma once

#include "dynid/estimation/block_clusters.h"
#include "dynid/estimation/least_squares.h"
#include "dynid/regression/statistics.h"

#include <Eigen/Core>

namespace dynid {

/// Covariance of a weighted least-squares estimate, valid for correlated residuals.
struct Covariance {
  /// [p x p] of beta with the unexcited parameters fixed: their rows and columns are zero, and
  /// those of combined ones (Estimate::combined) are of the combination that the logs determine.
  Eigen::MatrixXd matrix;
  Eigen::VectorXd std_dev;             ///< [p]; infinite for unexcited and combined parameters
  Eigen::VectorXd degrees_of_freedom;  ///< [p] of each variance; 0 for unexcited parameters
  /// [p] half width of the 95 % confidence interval: Student's quantile times the standard
  /// deviation; infinite for unexcited and combined parameters.
  Eigen::VectorXd half_width;
};

/// Standard deviations of the parameters if the residuals are white noise with the channel noise of
/// the estimate: the roots of the diagonal of (R^T R)^-1.
/// @returns [p]; infinite for unexcited and combined parameters
Eigen::VectorXd whiteNoiseStdDev(const Estimate& estimate);

/// Cluster-robust covariance with the leverage correction CR2. X_g and e_g are the whitened rows
/// and residuals of the blocks of one cluster, G = X^T X:
///
///     Cov = sum_g d_g d_g^T,   d_g = G^-1 X_g^T (1 - X_g G^-1 X_g^T)^(-1/2) e_g.
///
/// Rows within a cluster may be correlated in any way, and channels may have different noise. If
/// the motion repeats, the variance of each parameter is the larger of two: with clusters in time
/// and with clusters in phase. A model error repeats with the motion, and clusters in time alone
/// would average it out. (If every cluster in time lies inside one cluster in phase, this equals
/// the two-way variance V_time + V_phase - V_both, bounded below by V_time.)
///
/// The leverage correction makes each variance unbiased for white noise; the variance is then
/// divided by the share of the white-noise variance that the clusters can show. The degrees of
/// freedom of Student's quantile are those of the variance under white noise (Satterthwaite). A
/// parameter that is determined by a single cluster has infinite variance.
///
/// Sources: Bell, McCaffrey, "Bias reduction in standard errors for linear regression with
/// multi-stage samples", Survey Methodology 28(2), 2002; Cameron, Gelbach, Miller, "Robust
/// inference with multiway clustering", J. Business & Economic Statistics 29(2), 2011.
///
/// @param clusters  one label per block of `statistics`; without labels every block is a cluster
/// @param threads  the result does not depend on it
/// @throws std::invalid_argument if the number of labels differs from the number of blocks
Covariance jackknifeCovariance(const Statistics& statistics,
                               const Estimate& estimate,
                               const BlockClusters& clusters = {},
                               int threads = 1);

/// The part of beta that the effort of each channel contributes, with the weights of the estimate
/// and the excited parameters S:
///
///     C_a = (X^T X)_SS^-1 (X_a^T tau_a)_S,   sum_a C_a = beta
///
/// It is the derivative of beta with respect to the logarithm of a factor on that effort.
/// @returns [p x channels]; zero for unexcited parameters
Eigen::MatrixXd effortContributions(const Estimate& estimate);

/// Uncertain factors exp(y_a) on the efforts of the first channels, such as gains that were found.
struct EffortFactors {
  Eigen::MatrixXd log_covariance;   ///< [a x a] of y
  double degrees_of_freedom = 0.0;  ///< of that covariance, > 0
};

/// Adds the uncertainty of such factors, to first order: C Cov(y) C^T to the matrix, and Student's
/// quantile times the root of its diagonal to the half widths (as independent of the rest). The
/// factors have more influence than the noise of the fit where they are known to a few percent
/// only: they are the same in every block, so that the spread of the blocks does not show them.
void addEffortFactors(const Estimate& estimate,
                      const EffortFactors& factors,
                      Covariance& covariance);

}  // namespace dynid
