#include "dynid/excitation/fourier_basis.h"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace dynid {

FourierBasis fourierBasis(int harmonics, double period_s, const Eigen::VectorXd& times) {
  if (harmonics < 1 || !(period_s > 0.0))
    throw std::invalid_argument("got " + std::to_string(harmonics) + " harmonics and a period of " +
                                std::to_string(period_s) +
                                " s; expected at least 1 and more than 0");
  const Eigen::Index L = harmonics;
  FourierBasis basis;
  for (auto* B : {&basis.q, &basis.dq, &basis.ddq, &basis.dddq})
    B->setZero(times.size(), 1 + 2 * L);
  basis.q.col(0).setOnes();
  for (Eigen::Index l = 1; l <= L; ++l) {
    const double w = 2.0 * std::numbers::pi * static_cast<double>(l) / period_s;
    const Eigen::ArrayXd s = (w * times.array()).sin(), c = (w * times.array()).cos();
    basis.q.col(l) = s / w;
    basis.dq.col(l) = c;
    basis.ddq.col(l) = -w * s;
    basis.dddq.col(l) = -w * w * c;
    basis.q.col(L + l) = -c / w;
    basis.dq.col(L + l) = s;
    basis.ddq.col(L + l) = w * c;
    basis.dddq.col(L + l) = -w * w * s;
  }
  return basis;
}

Eigen::VectorXd periodGrid(double period_s, int count) {
  return Eigen::VectorXd::LinSpaced(count, 0.0, period_s * (count - 1) / count);
}

MotionSamples denseSamples(const Eigen::MatrixXd& X, double period_s) {
  constexpr int kPointsPerHarmonic = 200;
  const int harmonics = static_cast<int>(X.rows() - 1) / 2;
  const FourierBasis basis =
      fourierBasis(harmonics, period_s, periodGrid(period_s, kPointsPerHarmonic * harmonics));
  return {basis.q * X, basis.dq * X, basis.ddq * X};
}

FourierSeries seriesOf(const Eigen::MatrixXd& X, double period_s) {
  const Eigen::Index L = (X.rows() - 1) / 2;
  FourierSeries series;
  series.fundamental_hz = 1.0 / period_s;
  series.offset = X.row(0);
  series.a = X.middleRows(1, L).transpose();
  series.b = X.bottomRows(L).transpose();
  return series;
}

Eigen::MatrixXd coefficientsOf(const FourierSeries& series) {
  const Eigen::Index L = series.a.cols();
  Eigen::MatrixXd X(1 + 2 * L, series.a.rows());
  X.row(0) = series.offset;
  X.middleRows(1, L) = series.a.transpose();
  X.bottomRows(L) = series.b.transpose();
  return X;
}

double gridToPeak(int harmonics, int count) {
  if (count <= 2 * harmonics)
    throw std::invalid_argument("got " + std::to_string(count) + " points for " +
                                std::to_string(harmonics) + " harmonics; expected more than " +
                                std::to_string(2 * harmonics));
  return 1.0 / std::cos(std::numbers::pi * harmonics / count);
}

}  // namespace dynid
