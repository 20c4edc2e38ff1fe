#include "dynid/math/outside_span.h"

#include <Eigen/QR>

namespace dynid {

Eigen::MatrixXd outsideSpan(const Eigen::MatrixXd& columns, Eigen::MatrixXd vectors) {
  constexpr double kDependent = 1e-11;
  if (columns.size() == 0) return vectors;
  Eigen::MatrixXd scaled = columns;
  for (Eigen::Index c = 0; c < scaled.cols(); ++c)
    if (const double norm = scaled.col(c).norm(); norm > 0.0) scaled.col(c) /= norm;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(kDependent);
  qr.compute(scaled);
  vectors.applyOnTheLeft(qr.householderQ().adjoint());
  vectors.topRows(qr.rank()).setZero();
  vectors.applyOnTheLeft(qr.householderQ());
  return vectors;
}

}  // namespace dynid
