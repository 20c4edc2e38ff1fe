#include "dynid/signals/differentiate.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kPoints = 7;  // `derivative` writes them out

/// Weights of the derivative of order 0, 1, 2 at x = `at` of the polynomial through 0, 1, ...,
/// points - 1 (Fornberg 1988, Mathematics of Computation 51).
Eigen::Matrix<double, 3, kPoints> stencil(Index points, double at) {
  Eigen::Matrix<double, 3, kPoints> weights = Eigen::Matrix<double, 3, kPoints>::Zero();
  weights(0, 0) = 1.0;
  double c1 = 1.0;
  double c4 = -at;
  for (Index i = 1; i < points; ++i) {
    const Index highest = std::min<Index>(i, 2);
    double c2 = 1.0;
    const double c5 = c4;
    c4 = static_cast<double>(i) - at;
    for (Index j = 0; j < i; ++j) {
      const auto c3 = static_cast<double>(i - j);
      c2 *= c3;
      if (j == i - 1) {
        for (Index k = highest; k >= 1; --k)
          weights(k, i) =
              c1 * (static_cast<double>(k) * weights(k - 1, i - 1) - c5 * weights(k, i - 1)) / c2;
        weights(0, i) = -c1 * c5 * weights(0, i - 1) / c2;
      }
      for (Index k = highest; k >= 1; --k)
        weights(k, j) = (c4 * weights(k, j) - static_cast<double>(k) * weights(k - 1, j)) / c3;
      weights(0, j) = c4 * weights(0, j) / c3;
    }
    c1 = c2;
  }
  return weights;
}

MatrixXd derivative(const Eigen::Ref<const MatrixXd>& X, double dt, int order) {
  if (!(dt > 0.0))
    throw std::invalid_argument("derivative: step " + toText(dt) + " s; expected a positive one");
  const Index n = X.rows(), points = std::min(n, kPoints), half = points / 2;
  MatrixXd D = MatrixXd::Zero(n, X.cols());
  if (points <= order) return D;
  const double scale = order == 1 ? 1.0 / dt : 1.0 / (dt * dt);
  for (Index k = 0; k < n; ++k) {
    const bool inside = k >= half && k + (points - half) <= n;
    if (inside && k > half) continue;
    const Index first = std::clamp<Index>(k - half, 0, n - points);
    const auto weights = stencil(points, static_cast<double>(k - first));
    const Index span = inside ? n - points + 1 : 1;
    if (inside && points == kPoints) {  // one pass over the numbers
      const Eigen::Matrix<double, kPoints, 1> w = scale * weights.row(order).transpose();
      for (Index c = 0; c < X.cols(); ++c) {
        const auto x = [&](Index j) { return X.col(c).segment(first + j, span); };
        D.col(c).segment(k, span) = w(0) * x(0) + w(1) * x(1) + w(2) * x(2) + w(3) * x(3) +
                                    w(4) * x(4) + w(5) * x(5) + w(6) * x(6);
      }
      continue;
    }
    for (Index j = 0; j < points; ++j)
      D.middleRows(k, span) += scale * weights(order, j) * X.middleRows(first + j, span);
  }
  return D;
}

}  // namespace

MatrixXd firstDerivative(const Eigen::Ref<const MatrixXd>& X, double dt) {
  return derivative(X, dt, 1);
}

MatrixXd secondDerivative(const Eigen::Ref<const MatrixXd>& X, double dt) {
  return derivative(X, dt, 2);
}

}  // namespace dynid
