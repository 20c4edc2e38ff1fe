#pragma once

#include <Eigen/QR>

namespace dynid {

/// The upper triangle with a positive diagonal.
inline Eigen::MatrixXd positive(Eigen::MatrixXd R) {
  for (Eigen::Index i = 0; i < R.rows(); ++i)
    if (R(i, i) < 0.0) R.row(i) *= -1.0;
  return R;
}

/// The triangular factor of X with a positive diagonal, computed with a mantissa of 64 bits.
inline Eigen::MatrixXd longFactor(const Eigen::MatrixXd& X) {
  using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::HouseholderQR<LongMatrix> qr(X.cast<long double>());
  const LongMatrix R = qr.matrixQR().topRows(X.cols()).triangularView<Eigen::Upper>();
  return positive(R.cast<double>());
}

}  // namespace dynid
