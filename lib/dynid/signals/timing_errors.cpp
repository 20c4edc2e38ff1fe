#include "dynid/signals/timing_errors.h"

#include "dynid/signals/differentiate.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kAveraged = 0.1;  // [s]
// Rows with a smaller share of the mean squared speed say nothing about their time.
constexpr double kLeastSpeed = 1e-3;

/// Mean over `half` rows to both sides; fewer at the ends, as many to each side.
MatrixXd averaged(const MatrixXd& X, Index half) {
  MatrixXd sums = MatrixXd::Zero(X.rows() + 1, X.cols());
  for (Index k = 0; k < X.rows(); ++k) sums.row(k + 1) = sums.row(k) + (X.row(k) - X.row(0));
  MatrixXd mean(X.rows(), X.cols());
  for (Index k = 0; k < X.rows(); ++k) {
    const Index reach = std::min({half, k, X.rows() - 1 - k});
    mean.row(k) = X.row(0) + (sums.row(k + reach + 1) - sums.row(k - reach)) /
                                 static_cast<double>(2 * reach + 1);
  }
  return mean;
}

}  // namespace

MatrixXd withoutTimingErrors(const MatrixXd& positions, double rate_hz) {
  if (positions.rows() == 0) return positions;
  const Index half = std::max<Index>(1, std::lround(0.5 * kAveraged * rate_hz));
  const MatrixXd smooth = averaged(averaged(positions, half), half);
  const MatrixXd speed = firstDerivative(smooth, 1.0 / rate_hz);
  const MatrixXd rest = positions - smooth;
  const double rows = static_cast<double>(positions.rows());
  const VectorXd weight =
      (rest.colwise().squaredNorm().transpose() / rows).unaryExpr([](double power) {
        return power > 0.0 ? 1.0 / power : 0.0;
      });
  const VectorXd squares = speed.array().square().matrix() * weight;
  const double least = kLeastSpeed * squares.mean();
  if (!(least > 0.0)) return positions;
  const VectorXd delay = (rest.cwiseProduct(speed) * weight).cwiseQuotient(squares.cwiseMax(least));
  return positions - delay.asDiagonal() * speed;
}

}  // namespace dynid
