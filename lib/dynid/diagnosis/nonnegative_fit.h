#pragma once

#include <Eigen/Core>

namespace dynid {

/// Minimum of 1/2 x^T A x - b^T x subject to C x >= 0, by the active-set method for non-negative
/// least squares applied to the dual problem (Lawson and Hanson, Solving Least Squares Problems,
/// 1974, chapter 23): x = A^-1 (b + C^T lambda), lambda >= 0.
/// @param A  [n x n] symmetric positive definite
/// @param b  [n]
/// @param C  [m x n] rows of unit norm; m = 0: no constraints
Eigen::VectorXd nonnegativeFit(const Eigen::MatrixXd& A,
                               const Eigen::VectorXd& b,
                               const Eigen::MatrixXd& C);

}  // namespace dynid
