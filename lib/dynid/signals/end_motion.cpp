#include "dynid/signals/end_motion.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace dynid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd endAccelerations(const Eigen::Ref<const MatrixXd>& q,
                          double dt,
                          double cutoff_hz,
                          const VectorXd& still_speed) {
  constexpr Index kCoefficients = 5;
  constexpr Index kFewest = 8;  // at the highest cut-off a period has five samples
  constexpr double kDeviations = 2.0;
  MatrixXd accelerations = MatrixXd::Zero(2, q.cols());
  const auto period = static_cast<Index>(std::ceil(1.0 / cutoff_hz / dt));
  const Index n = std::min(q.rows(), std::max(period, kFewest));
  if (n < kFewest || still_speed.size() != q.cols()) return accelerations;
  MatrixXd powers = MatrixXd::Ones(n, kCoefficients);
  for (Index c = 1; c < kCoefficients; ++c)
    powers.col(c) = powers.col(c - 1).cwiseProduct(VectorXd::LinSpaced(n, 0.0, 1.0));
  const Eigen::HouseholderQR<MatrixXd> qr(powers);
  const double to_acceleration = 2.0 / std::pow(static_cast<double>(n - 1) * dt, 2);
  const VectorXd unit = VectorXd::Unit(kCoefficients, 2);
  // Standard deviation of the quadratic coefficient per unit of white noise.
  const double noise_gain = qr.matrixQR()
                                .topRows(kCoefficients)
                                .triangularView<Eigen::Upper>()
                                .transpose()
                                .solve(unit)
                                .norm();
  for (Index end = 0; end < 2; ++end) {
    MatrixXd piece =
        end == 0 ? MatrixXd(q.topRows(n)) : MatrixXd(q.bottomRows(n).colwise().reverse());
    piece.rowwise() -= piece.row(0).eval();
    const MatrixXd coefficients = qr.solve(piece);
    const VectorXd residual = (piece - powers * coefficients).colwise().norm();
    const Index quarter = (n + 3) / 4;
    const VectorXd moved = piece.topRows(quarter + 1).cwiseAbs().colwise().maxCoeff();
    for (Index j = 0; j < q.cols(); ++j) {
      if (moved(j) <= static_cast<double>(quarter) * dt * still_speed(j)) continue;
      const double value = coefficients(2, j);
      const double noise = kDeviations * noise_gain * residual(j) /
                           std::sqrt(static_cast<double>(n - kCoefficients));
      if (std::abs(value) > noise)
        accelerations(end, j) = to_acceleration * (value - noise * noise / value);
    }
  }
  return accelerations;
}

MatrixXd continued(const Eigen::Ref<const MatrixXd>& q,
                   Index reach,
                   const MatrixXd& accelerations,
                   double dt) {
  const Index n = q.rows();
  MatrixXd padded(n + 2 * reach, q.cols());
  padded.middleRows(reach, n) = q;
  for (Index k = 1; k <= reach; ++k) {
    const double squared = std::pow(static_cast<double>(k) * dt, 2);
    padded.row(reach - k) = 2.0 * q.row(0) - q.row(k) + squared * accelerations.row(0);
    padded.row(reach + n - 1 + k) =
        2.0 * q.row(n - 1) - q.row(n - 1 - k) + squared * accelerations.row(1);
  }
  return padded;
}

}  // namespace dynid
