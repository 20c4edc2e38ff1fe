#pragma once

#include <Eigen/Core>

#include <optional>

namespace dynid {

/// The factor of a tall stack by a preconditioned Gram matrix: R0 of some of the rows, the Gram
/// matrix of X R0^-1, whose columns are nearly orthonormal, its Cholesky factor times R0. As
/// accurate as Householder on all rows, at the speed of a matrix product (the idea: "Cholesky QR",
/// Yamamoto, Nakatsukasa, Yanagisawa, Fukaya 2015, ETNA 44, with R0 from a sample of rows).
///
/// @param held  upper triangular [columns x columns]: counts as more rows; empty or zero: none
/// @param X     [rows x columns], finite
/// @returns R, upper triangular, R^T R = held^T held + X^T X; nothing where the sample of rows does
///   not stand for the others (Householder on all of them is then the way)
std::optional<Eigen::MatrixXd> gramFactor(const Eigen::MatrixXd& held,
                                          const Eigen::Ref<const Eigen::MatrixXd>& X);

}  // namespace dynid
