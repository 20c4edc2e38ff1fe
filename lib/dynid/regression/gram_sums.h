#pragma once

#include "dynid/kernels/requests.h"
#include "dynid/kernels/scratch.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// The Gram matrix of Z = X P U^-1, summed as the rows X arrive (see gramFactor for its use). Each
/// SIMD lane has a separate sum; the lanes are added when the result is requested. The same rows
/// in the same order give the same bits.
class GramSums {
 public:
  GramSums() = default;
  /// @param U      [columns x columns], upper triangular; its first `plain` columns are those of
  ///     the identity
  /// @param plain  number of columns that need no substitution
  /// @param order  permutation P: column c of X P is column order[c] of X
  GramSums(const Eigen::MatrixXd& U, Eigen::Index plain, std::vector<int> order);
  /// Adds the rows X [rows x columns], finite.
  /// @param scratch  working memory; may be shared by all objects that add one after the other
  void add(const Eigen::Ref<const Eigen::MatrixXd>& X, Scratch& scratch);
  /// Z^T Z [columns x columns]: upper triangle, zeros below.
  Eigen::MatrixXd upper() const;

 private:
  struct alignas(64) Line {
    double numbers[8];
  };

  GramKernel kernel_ = nullptr;
  Eigen::Index lanes_ = 1, plain_ = 0;
  std::vector<int> order_;
  Eigen::MatrixXd U_;       // with the reciprocals of its diagonal entries on the diagonal
  std::vector<Line> sums_;  // per pair of columns and lane, in the order of the kernel
  std::vector<const double*> columns_;  // columns of the current block
};

}  // namespace dynid
