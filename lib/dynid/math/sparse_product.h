#pragma once

#include <Eigen/Core>

namespace dynid {

/// A S, where most entries of S are zero.
/// @param A  [m x n]
/// @param S  [n x p]
/// @returns  [m x p]
Eigen::MatrixXd productWithSparse(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                  const Eigen::Ref<const Eigen::MatrixXd>& S);

}  // namespace dynid
