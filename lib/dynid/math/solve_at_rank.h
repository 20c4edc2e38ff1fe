#pragma once

#include <Eigen/Core>
#include <Eigen/QR>

namespace dynid {

/// The x that minimises ||A x - b|| with as many nonzero variables as the rank of A; the others are
/// zero. Unlike `qr.solve`, which divides by every pivot that is not exactly zero, it respects the
/// threshold of the factorisation.
/// @param qr  A P = Q R, with its threshold
/// @param b   as many rows as A
Eigen::VectorXd solveAtRank(const Eigen::ColPivHouseholderQR<Eigen::MatrixXd>& qr,
                            const Eigen::VectorXd& b);

}  // namespace dynid
