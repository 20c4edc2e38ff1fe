#include "dynid/regression/gram_sums.h"

#include "dynid/kernels/instruction_set.h"

#include <algorithm>
#include <utility>

namespace dynid {

using Eigen::Index;
using Eigen::MatrixXd;

GramSums::GramSums(const MatrixXd& U, Index plain, std::vector<int> order)
    : plain_(plain), order_(std::move(order)), U_(U.triangularView<Eigen::Upper>()) {
  const InstructionSet kernels = chosenInstructionSet();
  kernel_ = kernels.gram;
  lanes_ = kernels.lanes;
  U_.diagonal() = U_.diagonal().cwiseInverse().eval();
  const Index numbers = lanes_ * U.cols() * (U.cols() + 1) / 2;
  sums_.resize((numbers + 7) / 8);
  columns_.resize(order_.size());
}

void GramSums::add(const Eigen::Ref<const MatrixXd>& X, Scratch& scratch) {
  const Index p = X.cols();
  double* Z = scratch.atLeast((2 * p - plain_) * kGramRows);
  double* copy = Z + (p - plain_) * kGramRows;
  for (Index begin = 0; begin < X.rows(); begin += kGramRows) {
    const Index count = std::min<Index>(kGramRows, X.rows() - begin);
    const Index rows = (count + kGramTile - 1) / kGramTile * kGramTile;
    // Columns are read in place unless their stride makes them share cache sets (a multiple of 64
    // numbers).
    const bool in_place = count == rows && X.outerStride() % 64 != 0;
    for (Index c = 0; c < p; ++c) {
      const double* column = X.data() + order_[c] * X.outerStride() + begin;
      columns_[c] = in_place ? column : copy + c * kGramRows;
      if (in_place) continue;
      std::copy_n(column, count, copy + c * kGramRows);
      std::fill_n(copy + c * kGramRows + count, rows - count, 0.0);
    }
    kernel_({columns_.data(), p, plain_, U_.data(), rows, Z, sums_.data()->numbers});
  }
}

MatrixXd GramSums::upper() const {
  const Index p = U_.cols();
  MatrixXd G = MatrixXd::Zero(p, p);
  const double* at = p > 0 ? sums_.data()->numbers : nullptr;
  for (Index j = 0; j < p; at += lanes_ * (j + 1), ++j)
    // Outer loop: consecutive additions are independent of each other
    for (Index lane = 0; lane < lanes_; ++lane)
      for (Index i = 0; i <= j; ++i) G(i, j) += at[lanes_ * i + lane];
  return G;
}

}  // namespace dynid
