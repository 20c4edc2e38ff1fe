#include "dynid/motion/bordered_band.h"

#include <Eigen/Cholesky>

#include <vector>

namespace dynid {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

BorderedBand::BorderedBand(Index size, Index bandwidth, Index border)
    : size_(size),
      border_size_(border),
      band_(MatrixXd::Zero(bandwidth + 1, size)),
      border_(MatrixXd::Zero(size, border)),
      corner_(MatrixXd::Zero(border, border)),
      gradient_(VectorXd::Zero(size + border)) {}

void BorderedBand::add(Index first, const MatrixXd& J, const VectorXd& r) {
  const Index width = J.cols() - border_size_;
  const MatrixXd product = J.transpose() * J;
  for (Index c = 0; c < width; ++c)
    band_.col(first + c).head(width - c) += product.col(c).segment(c, width - c);
  border_.middleRows(first, width) += product.topRightCorner(width, border_size_);
  corner_ += product.bottomRightCorner(border_size_, border_size_);
  const VectorXd gradient = J.transpose() * r;
  gradient_.segment(first, width) += gradient.head(width);
  gradient_.tail(border_size_) += gradient.tail(border_size_);
}

bool BorderedBand::factor() {
  constexpr double kRidge = 1e-12;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index c = 0; c < size_; ++c)
    for (Index d = 0; d < band_.rows() && c + d < size_; ++d)
      if (d == 0 || band_(d, c) != 0.0)
        entries.emplace_back(c + d, c, band_(d, c) * (d == 0 ? 1.0 + kRidge : 1.0));
  Sparse H(size_, size_);
  H.setFromTriplets(entries.begin(), entries.end());
  factor_.compute(H);
  if (factor_.info() != Eigen::Success) return false;
  solved_border_ = factor_.solve(border_);
  const MatrixXd schur = corner_ - border_.transpose() * solved_border_;
  const VectorXd scale = corner_.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  MatrixXd scaled = scale.asDiagonal() * schur * scale.asDiagonal();
  scaled.diagonal().array() += kRidge;
  const Eigen::LLT<MatrixXd> complement(scaled);
  if (complement.info() != Eigen::Success) return false;
  covariance_ = scale.asDiagonal() *
                complement.solve(MatrixXd::Identity(border_size_, border_size_)) *
                scale.asDiagonal();
  return true;
}

MatrixXd BorderedBand::solve(const MatrixXd& right) const {
  MatrixXd solution(right.rows(), right.cols());
  const MatrixXd inner = factor_.solve(MatrixXd(right.topRows(size_)));
  const MatrixXd theta = covariance_ * (right.bottomRows(border_size_) -
                                        solved_border_.transpose() * right.topRows(size_));
  solution.topRows(size_) = inner - solved_border_ * theta;
  solution.bottomRows(border_size_) = theta;
  return solution;
}

}  // namespace dynid
