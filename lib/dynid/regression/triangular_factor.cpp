#include "dynid/regression/triangular_factor.h"

#include "dynid/kernels/dense.h"
#include "dynid/regression/gram_factor.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace dynid {

Eigen::MatrixXd triangularize(const Eigen::Ref<const Eigen::MatrixXd>& stack) {
  const Eigen::Index columns = stack.cols();
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(columns, columns);
  if (stack.rows() == 0) return R;
  R.topRows(std::min(stack.rows(), columns)) = denseUpperFactor(stack);
  return R;
}

namespace {

constexpr double kManyRowsPerColumn = 2.0;
// With fewer rows per column, Householder reflections are faster than the Gram matrix (measured
// with 20 to 300 columns).
constexpr double kLeastGramRows = 6.0;

// R of two stacked upper triangles by Householder reflections that skip the zeros (LAPACK's
// tpqrt2): the reflection of column j involves row j of the first and rows 0..j of the second.
void mergeUpper(Eigen::MatrixXd& R, Eigen::MatrixXd other) {
  const Eigen::Index p = R.cols();
  for (Eigen::Index j = 0; j < p; ++j) {
    auto below = other.col(j).head(j + 1);
    const double norm = std::hypot(R(j, j), below.stableNorm());  // stable: squares may underflow
    if (norm == 0.0) continue;
    // Reflection H = 1 - tau v v^T with v = (1, below / head); the sign avoids cancellation.
    const double to = R(j, j) > 0.0 ? -norm : norm, head = R(j, j) - to, tau = -head / to;
    below /= head;
    R(j, j) = to;
    for (Eigen::Index k = j + 1; k < p; ++k) {
      const double along = tau * (R(j, k) + below.dot(other.col(k).head(j + 1)));
      R(j, k) -= along;
      other.col(k).head(j + 1) -= along * below;
    }
  }
}

}  // namespace

TriangularFactor TriangularFactor::fromRows(const Eigen::Ref<const Eigen::MatrixXd>& X,
                                            double rows) {
  TriangularFactor factor(X.cols());
  if (X.rows() > 0) factor.R_ = denseUpperFactor(X);
  factor.rows_ = rows;
  return factor;
}

TriangularFactor TriangularFactor::fromUpper(Eigen::MatrixXd R, double rows) {
  TriangularFactor factor;
  factor.R_ = std::move(R);
  factor.rows_ = rows;
  return factor;
}

void TriangularFactor::add(const Eigen::Ref<const Eigen::MatrixXd>& X) {
  add(X, static_cast<double>(X.rows()));
}

void TriangularFactor::add(const Eigen::Ref<const Eigen::MatrixXd>& X,
                           double rows,
                           const TriangularFactor* similar) {
  if (X.cols() != R_.cols())
    throw std::invalid_argument("X has " + std::to_string(X.cols()) + " columns; expected " +
                                std::to_string(R_.cols()));
  if (X.rows() == 0) return;
  const Eigen::Index held = rows_ > 0.0 ? R_.rows() : 0;
  const auto many = [&](const TriangularFactor& factor) {
    return factor.columns() == columns() && factor.R().rows() == columns() &&
           factor.rows() >= kManyRowsPerColumn * static_cast<double>(columns());
  };
  const Eigen::MatrixXd* kind = nullptr;
  if (held == columns() && rows_ >= rows)
    kind = &R_;
  else if (similar != nullptr && many(*similar))
    kind = &similar->R();
  rows_ += rows;
  if (static_cast<double>(X.rows()) >= kLeastGramRows * static_cast<double>(X.cols())) {
    if (std::optional<Eigen::MatrixXd> R = gramFactor(held > 0 ? squareR() : R_, X, kind)) {
      R_ = std::move(*R);
      return;
    }
  }
  Eigen::MatrixXd stack(held + X.rows(), R_.cols());
  stack.topRows(held) = R_.topRows(held);
  stack.bottomRows(X.rows()) = X;
  R_ = denseUpperFactor(std::move(stack));
}

void TriangularFactor::merge(const TriangularFactor& other) {
  if (other.rows_ == 0.0) return;
  if (other.R_.cols() != R_.cols())
    throw std::invalid_argument("the other has " + std::to_string(other.R_.cols()) +
                                " columns; expected " + std::to_string(R_.cols()));
  if (rows_ == 0.0) {
    R_ = other.R_;
  } else {
    R_ = squareR();
    mergeUpper(R_, other.squareR());
  }
  rows_ += other.rows_;
}

void TriangularFactor::merge(TriangularFactor&& other) {
  if (rows_ == 0.0 && other.rows_ > 0.0 && other.columns() == columns()) {
    *this = std::move(other);
  } else {
    merge(std::as_const(other));
  }
}

}  // namespace dynid
