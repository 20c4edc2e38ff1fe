#pragma once

#include "dynid/estimation/block_clusters.h"
#include "dynid/estimation/least_squares.h"
#include "dynid/regression/statistics.h"

#include <Eigen/Core>

namespace dynid {

/// Covariance of a weighted least-squares estimate whose residual may be correlated.
struct Covariance {
  Eigen::MatrixXd matrix;   ///< [p x p] of beta; rows and columns of unexcited parameters are zero
  Eigen::VectorXd std_dev;  ///< [p]; infinite for unexcited parameters
  Eigen::VectorXd degrees_of_freedom;  ///< [p] of each variance; 0 for unexcited parameters
  /// [p] half the width of the 95 % interval: Student's quantile times the standard deviation;
  /// infinite for unexcited parameters.
  Eigen::VectorXd half_width;
};

/// Cluster-robust covariance with the leverage correction CR2. With X_g, e_g the whitened rows and
/// residuals of the blocks of one cluster and G = X^T X,
///
///     Cov = sum_g d_g d_g^T,   d_g = G^-1 X_g^T (1 - X_g G^-1 X_g^T)^(-1/2) e_g.
///
/// Rows of one cluster may be correlated in any way, and channels may have different noise. Where
/// the motion repeats, the variance of each parameter is the larger of those with clusters in time
/// and with clusters in phase: an error of the model repeats with the motion, and blocks in time
/// would cancel it. (Where clusters in time lie inside clusters in phase, this is the two-way
/// variance V_time + V_phase - V_both, not below V_time.)
///
/// The leverage correction makes each variance unbiased under white noise; it is then divided by
/// the share of the white variance that the clusters can show. Student's quantile has the degrees
/// of freedom that the variance has under white noise (Satterthwaite).
///
/// A parameter that a single cluster determines has no finite variance. Sources: Bell, McCaffrey,
/// "Bias reduction in standard errors for linear regression with multi-stage samples", Survey
/// Methodology 28(2), 2002; Cameron, Gelbach, Miller, "Robust inference with multiway clustering",
/// J. Business & Economic Statistics 29(2), 2011.
///
/// @param clusters  one label per block of `statistics`; without labels every block is a cluster
/// @throws std::invalid_argument if the number of labels is not the number of blocks
Covariance jackknifeCovariance(const Statistics& statistics,
                               const Estimate& estimate,
                               const BlockClusters& clusters = {});

}  // namespace dynid
