#include "dynid/signals/resample.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void checkKnots(const Eigen::Ref<const VectorXd>& t, const Eigen::Ref<const MatrixXd>& Y) {
  if (t.size() == 0 || t.size() != Y.rows())
    throw std::invalid_argument(std::to_string(t.size()) + " knots and " +
                                std::to_string(Y.rows()) + " rows; expected as many, at least one");
  for (Index k = 1; k < t.size(); ++k)
    if (!(t(k) > t(k - 1)))
      throw std::invalid_argument("knot " + std::to_string(k) + " is not after knot " +
                                  std::to_string(k - 1) + "; expected increasing times");
}

/// The polynomial through up to three knots by Newton's divided differences.
MatrixXd polynomialAt(const Eigen::Ref<const VectorXd>& t,
                      const Eigen::Ref<const MatrixXd>& Y,
                      const Eigen::Ref<const VectorXd>& at) {
  const Index n = t.size();
  MatrixXd coefficients = Y;
  for (Index order = 1; order < n; ++order)
    for (Index k = n - 1; k >= order; --k)
      coefficients.row(k) =
          (coefficients.row(k) - coefficients.row(k - 1)).eval() / (t(k) - t(k - order));
  MatrixXd values(at.size(), Y.cols());
  for (Index i = 0; i < at.size(); ++i) {
    values.row(i) = coefficients.row(n - 1);
    for (Index k = n - 2; k >= 0; --k)
      values.row(i) = coefficients.row(k) + (at(i) - t(k)) * values.row(i);
  }
  return values;
}

/// Second derivatives at the knots. The not-a-knot conditions (third derivative continuous at the
/// second and the last but one knot) are eliminated, which leaves a diagonally dominant tridiagonal
/// system for the inner knots.
MatrixXd secondDerivatives(const VectorXd& h, const Eigen::Ref<const MatrixXd>& Y) {
  const Index n = Y.rows();
  VectorXd lower = VectorXd::Zero(n), diagonal = VectorXd::Ones(n), upper = VectorXd::Zero(n);
  MatrixXd M = MatrixXd::Zero(n, Y.cols());
  for (Index k = 1; k + 1 < n; ++k) {
    lower(k) = h(k - 1);
    diagonal(k) = 2.0 * (h(k - 1) + h(k));
    upper(k) = h(k);
    M.row(k) = 6.0 * ((Y.row(k + 1) - Y.row(k)) / h(k) - (Y.row(k) - Y.row(k - 1)) / h(k - 1));
  }
  // M_0 = M_1 (1 + h0/h1) - M_2 h0/h1, and the mirrored equation at the end.
  const double first = h(0) / h(1), last = h(n - 2) / h(n - 3);
  diagonal(1) += lower(1) * (1.0 + first);
  upper(1) -= lower(1) * first;
  diagonal(n - 2) += upper(n - 2) * (1.0 + last);
  lower(n - 2) -= upper(n - 2) * last;
  for (Index k = 2; k + 1 < n; ++k) {
    const double factor = lower(k) / diagonal(k - 1);
    diagonal(k) -= factor * upper(k - 1);
    M.row(k) -= factor * M.row(k - 1);
  }
  M.row(n - 2) /= diagonal(n - 2);
  for (Index k = n - 3; k >= 1; --k) M.row(k) = (M.row(k) - upper(k) * M.row(k + 1)) / diagonal(k);
  M.row(0) = M.row(1) * (1.0 + first) - M.row(2) * first;
  M.row(n - 1) = M.row(n - 2) * (1.0 + last) - M.row(n - 3) * last;
  return M;
}

}  // namespace

std::optional<std::vector<Index>> knotsAt(const Eigen::Ref<const VectorXd>& t,
                                          const Eigen::Ref<const VectorXd>& at) {
  constexpr double kRounding = 1e-9;  // relative to the spacing
  if (t.size() < 2) return std::nullopt;
  std::vector<Index> knots(at.size());
  Index k = 0;
  for (Index i = 0; i < at.size(); ++i) {
    // Times usually increase by one knot.
    if (at(i) < t(k)) k = 0;
    while (k + 1 < t.size() && t(k + 1) <= at(i)) ++k;
    const double step = k + 1 < t.size() ? t(k + 1) - t(k) : t(k) - t(k - 1);
    const Index next = k + 1 < t.size() && t(k + 1) - at(i) < kRounding * step ? k + 1 : k;
    if (!(std::abs(at(i) - t(next)) <= kRounding * step)) return std::nullopt;
    knots[i] = next;
  }
  return knots;
}

MatrixXd splineAt(const Eigen::Ref<const VectorXd>& t,
                  const Eigen::Ref<const MatrixXd>& Y,
                  const Eigen::Ref<const VectorXd>& at) {
  checkKnots(t, Y);
  const Index n = t.size();
  if (n < 4) return polynomialAt(t, Y, at);
  if (const auto knots = knotsAt(t, at)) return Y(*knots, Eigen::all);
  const VectorXd h = t.tail(n - 1) - t.head(n - 1);
  const MatrixXd M = secondDerivatives(h, Y);
  MatrixXd values(at.size(), Y.cols());
  const double* begin = t.data();
  for (Index i = 0; i < at.size(); ++i) {
    const Index after = std::upper_bound(begin, begin + n, at(i)) - begin;
    const Index k = std::clamp<Index>(after - 1, 0, n - 2);
    const double a = (t(k + 1) - at(i)) / h(k), b = 1.0 - a;
    values.row(i) =
        a * Y.row(k) + b * Y.row(k + 1) +
        ((a * a * a - a) * M.row(k) + (b * b * b - b) * M.row(k + 1)) * (h(k) * h(k) / 6.0);
  }
  return values;
}

}  // namespace dynid
