#include "dynid/regression/triangular_factor.h"

#include "dynid/regression/gram_factor.h"

#include <Eigen/QR>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace dynid {

Eigen::MatrixXd triangularize(const Eigen::Ref<const Eigen::MatrixXd>& stack) {
  const Eigen::Index columns = stack.cols();
  Eigen::MatrixXd R = Eigen::MatrixXd::Zero(columns, columns);
  if (stack.rows() == 0) return R;
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(stack);
  const Eigen::Index kept = std::min(stack.rows(), columns);
  R.topRows(kept) = qr.matrixQR().topRows(kept).triangularView<Eigen::Upper>();
  return R;
}

TriangularFactor TriangularFactor::fromRows(const Eigen::Ref<const Eigen::MatrixXd>& X,
                                            double rows) {
  TriangularFactor factor;
  factor.R_ = triangularize(X);
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

void TriangularFactor::add(const Eigen::Ref<const Eigen::MatrixXd>& X, double rows) {
  if (X.cols() != R_.cols())
    throw std::invalid_argument("TriangularFactor::add: X has " + std::to_string(X.cols()) +
                                " columns; expected " + std::to_string(R_.cols()));
  if (X.rows() == 0) return;
  const Eigen::Index held = rows_ > 0.0 ? R_.rows() : 0;
  rows_ += rows;
  if (X.rows() >= X.cols()) {  // with fewer rows, Householder is no slower
    if (std::optional<Eigen::MatrixXd> R = gramFactor(R_.topRows(held), X)) {
      R_ = std::move(*R);
      return;
    }
  }
  Eigen::MatrixXd stack(held + X.rows(), R_.cols());
  stack.topRows(held) = R_.topRows(held);
  stack.bottomRows(X.rows()) = X;
  R_ = triangularize(stack);
}

void TriangularFactor::merge(const TriangularFactor& other) {
  if (other.rows_ == 0.0) return;
  add(other.R_, other.rows_);
}

}  // namespace dynid
