#include "dynid/signals/end_motion.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace dynid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr Index kEndCoefficients = 5;
constexpr Index kFewestEndRows = 8;  // at the highest cut-off a period has five samples

/// Accelerations [columns] at the first of n rows and their standard deviations.
struct FirstAcceleration {
  VectorXd value, deviation;
};

FirstAcceleration firstAcceleration(const Eigen::Ref<const MatrixXd>& q, double dt) {
  const Index n = q.rows();
  MatrixXd powers = MatrixXd::Ones(n, kEndCoefficients);
  for (Index c = 1; c < kEndCoefficients; ++c)
    powers.col(c) = powers.col(c - 1).cwiseProduct(VectorXd::LinSpaced(n, 0.0, 1.0));
  const Eigen::HouseholderQR<MatrixXd> qr(powers);
  const MatrixXd coefficients = qr.solve(q);
  const MatrixXd residual = q - powers * coefficients;
  const double to_acceleration = 2.0 / std::pow(static_cast<double>(n - 1) * dt, 2);
  // Standard deviation of the quadratic coefficient per unit of white noise.
  const double noise_gain = qr.matrixQR()
                                .topRows(kEndCoefficients)
                                .triangularView<Eigen::Upper>()
                                .transpose()
                                .solve(VectorXd::Unit(kEndCoefficients, 2))
                                .norm();
  const double scale =
      to_acceleration * noise_gain / std::sqrt(static_cast<double>(n - kEndCoefficients));
  return {to_acceleration * coefficients.row(2).transpose(),
          scale * residual.colwise().norm().transpose()};
}

}  // namespace

MatrixXd endAccelerations(const Eigen::Ref<const MatrixXd>& q,
                          double dt,
                          double cutoff_hz,
                          const VectorXd& still_speed) {
  constexpr double kDeviations = 2.0;
  // Of the acceleration, from a whole period to a half: that of sines up to 0.6 of the cut-off.
  constexpr double kLargestChange = 0.4;
  MatrixXd accelerations = MatrixXd::Zero(2, q.cols());
  const auto period = static_cast<Index>(std::ceil(1.0 / cutoff_hz / dt));
  const Index n = std::min(q.rows(), std::max(period, kFewestEndRows));
  if (n < kFewestEndRows || still_speed.size() != q.cols()) return accelerations;
  const Index half = std::max(n / 2, kFewestEndRows), quarter = (n + 3) / 4;
  for (Index end = 0; end < 2; ++end) {
    MatrixXd piece =
        end == 0 ? MatrixXd(q.topRows(n)) : MatrixXd(q.bottomRows(n).colwise().reverse());
    piece.rowwise() -= piece.row(0).eval();
    const FirstAcceleration whole = firstAcceleration(piece, dt);
    const FirstAcceleration nearer = firstAcceleration(piece.topRows(half), dt);
    const VectorXd moved = piece.topRows(quarter + 1).cwiseAbs().colwise().maxCoeff();
    for (Index j = 0; j < q.cols(); ++j) {
      if (moved(j) <= static_cast<double>(quarter) * dt * still_speed(j)) continue;
      const double value = whole.value(j), noise = kDeviations * whole.deviation(j);
      const double allowed =
          std::max(kLargestChange * std::abs(value),
                   kDeviations * std::hypot(whole.deviation(j), nearer.deviation(j)));
      const bool agree = std::abs(value - nearer.value(j)) <= allowed;
      if (agree && std::abs(value) > noise) accelerations(end, j) = value - noise * noise / value;
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
