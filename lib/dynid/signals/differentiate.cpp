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

constexpr Index kPoints = 7;  // differentiateInside has the formulas written out for this number

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

/// Both derivatives of the inner rows of a column, where all seven points exist, in one pass.
void differentiateInside(
    const double* x, Index rows, double dt, double* __restrict first, double* __restrict second) {
  const double a1 = 45.0 / (60.0 * dt), a2 = -9.0 / (60.0 * dt), a3 = 1.0 / (60.0 * dt);
  const double scale = 1.0 / (180.0 * dt * dt);
  const double b0 = -490.0 * scale, b1 = 270.0 * scale, b2 = -27.0 * scale, b3 = 2.0 * scale;
  for (Index k = kPoints / 2; k < rows - kPoints / 2; ++k) {
    first[k] = a1 * (x[k + 1] - x[k - 1]) + a2 * (x[k + 2] - x[k - 2]) + a3 * (x[k + 3] - x[k - 3]);
    second[k] = b0 * x[k] + b1 * (x[k + 1] + x[k - 1]) + b2 * (x[k + 2] + x[k - 2]) +
                b3 * (x[k + 3] + x[k - 3]);
  }
}

}  // namespace

void differentiate(const Eigen::Ref<const MatrixXd>& X,
                   double dt,
                   Eigen::Ref<MatrixXd> first,
                   Eigen::Ref<MatrixXd> second) {
  if (!(dt > 0.0))
    throw std::invalid_argument("the step is " + toText(dt) + " s; expected a positive one");
  const Index n = X.rows(), points = std::min(n, kPoints);
  for (const auto* result : {&first, &second})
    if (result->rows() != n || result->cols() != X.cols())
      throw std::invalid_argument("results of the differentiation have " +
                                  std::to_string(result->rows()) + " x " +
                                  std::to_string(result->cols()) + " for values of " +
                                  std::to_string(n) + " x " + std::to_string(X.cols()));
  if (n >= kPoints)
    for (Index c = 0; c < X.cols(); ++c)
      differentiateInside(X.col(c).data(), n, dt, first.col(c).data(), second.col(c).data());
  const auto at_end = [&](Index k) {
    const Index from = std::clamp<Index>(k - kPoints / 2, 0, n - points);
    const auto weights = stencil(points, static_cast<double>(k - from));
    for (Index c = 0; c < X.cols(); ++c) {
      const auto around = X.col(c).segment(from, points).transpose();
      first(k, c) = weights.row(1).head(points).dot(around) / dt;
      second(k, c) = weights.row(2).head(points).dot(around) / (dt * dt);
    }
  };
  const Index begin = n < kPoints ? n : kPoints / 2;
  for (Index k = 0; k < begin; ++k) at_end(k);
  for (Index k = std::max(begin, n - kPoints / 2); k < n; ++k) at_end(k);
}

MatrixXd firstDerivative(const Eigen::Ref<const MatrixXd>& X, double dt) {
  MatrixXd first(X.rows(), X.cols()), second(X.rows(), X.cols());
  differentiate(X, dt, first, second);
  return first;
}

}  // namespace dynid
