#include "dynid/regression/gram_factor.h"

#include "dynid/kernels/dense.h"
#include "dynid/regression/triangular_factor.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index kSampleFactor = 2;  // rows per column in the sample from which R0 is computed
// A column of R0 is dependent on those before it if its diagonal entry is below this share of its
// norm.
constexpr double kDependent = 1e-11;
// Below this share the diagonal entry consists of second-order rounding errors only.
constexpr double kZero = 1e-16;
// A column is "plain" (used without substitution) if at least this share of its norm is independent
// of the plain columns before it. The errors then stay below twenty times those of Householder
// reflections; with 0.02 they do not.
constexpr double kIndependent = 0.05;
// The preconditioner from the sample is accepted if the elimination leaves each column at least
// this share of its squared norm. Rounding errors then grow at most by the inverse square root of
// this value.
constexpr double kLeastPivot = 1e-4;

// Bound for the sample's factor itself, which need not be exact: a pivot of this size leaves it
// seven digits.
constexpr double kRoughPivot = 1e-8;
// Each round gains six digits; beyond that only rounding errors are left
constexpr int kRoughRounds = 4;

// Cholesky factor, computed row by row. Rows of dependent columns without a significant remainder
// are set to zero: for a column of norm 1, a remainder of at most 1e-10 of which at most 1e-4 is
// independent of the columns before it.
bool choleskyUpper(MatrixXd& G, const std::vector<bool>& dependent, double least_pivot) {
  constexpr double kNothing = 1e-20, kNothingOfThat = 1e-8;  // squared
  for (Index j = 0; j < G.cols(); ++j) {
    const double whole = G(j, j);
    const double pivot = whole - G.col(j).head(j).squaredNorm();
    const bool regular = !dependent[j];
    if (!regular && whole <= kNothing && !(pivot > kNothingOfThat * whole)) {
      G.row(j).tail(G.cols() - j).setZero();
      continue;
    }
    if (!(pivot > least_pivot * whole)) return false;
    G(j, j) = std::sqrt(pivot);
    const Index right = G.cols() - 1 - j;
    const VectorXd above = G.topRightCorner(j, right).transpose() * G.col(j).head(j);
    G.row(j).tail(right) = (G.row(j).tail(right) - above.transpose()) / G(j, j);
  }
  G = G.triangularView<Eigen::Upper>().toDenseMatrix();
  return true;
}

std::vector<int> inGivenOrder(Index columns) {
  std::vector<int> order(columns);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

constexpr double kShift = 1e-12;  // relative to squares of columns of norm 1

// R U of two upper triangular matrices, with zeros below their diagonals.
MatrixXd upperProduct(const MatrixXd& R, const MatrixXd& U) {
  constexpr Index kPanel = 64;  // columns of U with their zeros below
  MatrixXd product = MatrixXd::Zero(U.rows(), U.cols());
  for (Index first = 0; first < U.cols(); first += kPanel) {
    const Index width = std::min(kPanel, U.cols() - first), height = first + width;
    product.block(0, first, height, width) =
        denseProduct(R.topLeftCorner(height, height), U.block(0, first, height, width));
  }
  return product;
}

// R with R^T R = G + shift; without the shift, rounding errors may leave G indefinite. Rows and
// columns of zeros are scaled as if of norm 1.
std::optional<MatrixXd> shiftedCholesky(const MatrixXd& G) {
  VectorXd size = G.diagonal().cwiseSqrt();
  for (double& entry : size)
    if (!(entry > 0.0)) entry = 1.0;
  const VectorXd inverse = size.cwiseInverse();
  MatrixXd R = inverse.asDiagonal() * G * inverse.asDiagonal();
  R.diagonal().array() += kShift;
  if (!choleskyUpper(R, std::vector<bool>(G.cols()), 0.0)) return std::nullopt;
  return R * size.asDiagonal();
}

// The factor of the few sample rows from their Gram matrix. If that is not positive definite, the
// step is repeated with the factor of the shifted matrix as preconditioner ("Shifted Cholesky QR",
// Fukaya, Kannan, Nakatsukasa, Yamamoto, Yanagisawa 2020, SIAM J. Sci. Comput. 42). Each round
// resolves six more digits of the remainder of dependent columns. If that fails too, Householder
// reflections are used.
MatrixXd factorOf(const Eigen::Ref<const MatrixXd>& rows) {
  const auto p = static_cast<std::size_t>(rows.cols());
  if (rows.rows() == 0 || !rows.allFinite()) return triangularize(rows);
  Scratch scratch;
  VectorXd norm = rows.colwise().norm();
  for (double& entry : norm)
    if (entry == 0.0) entry = 1.0;
  const auto gram_by = [&](const MatrixXd& U) {
    GramSums gram(U, 0, inGivenOrder(rows.cols()));
    gram.add(rows, scratch);
    return gram.upper();
  };
  MatrixXd U = norm.asDiagonal();
  for (int round = 0; round < kRoughRounds; ++round) {
    const MatrixXd G = gram_by(U);
    MatrixXd R = G;
    if (choleskyUpper(R, std::vector<bool>(p, true), kRoughPivot)) return upperProduct(R, U);
    const std::optional<MatrixXd> shifted = shiftedCholesky(G);
    if (!shifted) break;
    U = upperProduct(*shifted, U);
  }
  return triangularize(rows);
}

// The factor of `held` stacked on a subsample of the rows X, scaled to the number of rows in X.
MatrixXd sampleFactor(const MatrixXd& held, const Eigen::Ref<const MatrixXd>& X) {
  const Index p = X.cols(), wanted = kSampleFactor * p;
  const Index stride = std::max<Index>(1, X.rows() / wanted);
  const Index count = (X.rows() + stride - 1) / stride;
  MatrixXd stack(held.rows() + count, p);
  if (held.rows() > 0) stack.topRows(held.rows()) = held;  // `held` may be 0 x 0
  const double weight = std::sqrt(static_cast<double>(X.rows()) / static_cast<double>(count));
  for (Index i = 0; i < count; ++i) stack.row(held.rows() + i) = weight * X.row(i * stride);
  return factorOf(stack);
}

/// Rows whose first columns are zero, without these columns.
struct Band {
  Index zeros = 0;
  MatrixXd rows;
};

// The rows of X by the number of their leading zeros, as those of stacked triangles have them: the
// work for a row falls with the square of its columns. Empty if most rows begin in the first
// columns.
std::vector<Band> bandsOf(const Eigen::Ref<const MatrixXd>& X) {
  constexpr Index kBands = 8, kLeastWidth = 4;
  const Index p = X.cols(), width = p / kBands;
  std::vector<Band> bands;
  if (width < kLeastWidth) return bands;
  std::vector<Index> left(X.rows());
  std::iota(left.begin(), left.end(), Index{0});
  for (Index zeros = 0; zeros < p && !left.empty(); zeros += width) {
    const Index end = std::min(zeros + width, p);
    const auto later = std::stable_partition(left.begin(), left.end(), [&](Index row) {
      for (Index c = zeros; c < end; ++c)
        if (X(row, c) != 0.0) return true;
      return false;
    });
    const std::vector<Index> begin_here(left.begin(), later);
    if (zeros == 0 && 2 * std::ssize(begin_here) > X.rows()) return {};
    if (!begin_here.empty()) bands.push_back({zeros, X(begin_here, Eigen::seqN(zeros, p - zeros))});
    left.erase(left.begin(), later);
  }
  return bands;
}

}  // namespace

void BatchedGram::setPreconditioner(const MatrixXd& R0, double least_diagonal) {
  U_ = R0;
  order_ = inGivenOrder(R0.cols());
  in_order_ = true;
  finishPreconditioner(R0.colwise().norm(), least_diagonal, 0);
}

// With columns scaled to unit norm, R0 = Q [S11 R12; 0 R22], where the diagonal of S11 is large.
// Division by U = [1 S11^-1 R12; 0 R22] leaves the first columns unchanged and makes the others
// orthonormal, among themselves and to the first ones. With the original norms N of the columns: U
// = [1 N1^-1 S11^-1 R12 N2; 0 R22 N2].
void BatchedGram::arrangePreconditioner(const MatrixXd& R0, double least_diagonal) {
  const Index p = R0.cols();
  VectorXd norms = R0.colwise().norm();
  for (double& norm : norms)
    if (norm == 0.0) norm = 1.0;
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(R0 * norms.cwiseInverse().asDiagonal());
  Index plain = 0;
  while (plain < p && std::abs(qr.matrixQR()(plain, plain)) >= kIndependent) ++plain;
  const auto& order = qr.colsPermutation().indices();
  order_.assign(order.data(), order.data() + p);
  in_order_ = false;
  norms = norms(order_).eval();
  U_ = qr.matrixQR().triangularView<Eigen::Upper>();
  if (plain > 0 && plain < p) {
    const auto S11 = U_.topLeftCorner(plain, plain);
    U_.topRightCorner(plain, p - plain) =
        norms.head(plain).cwiseInverse().asDiagonal() *
        S11.triangularView<Eigen::Upper>().solve(U_.topRightCorner(plain, p - plain).eval());
  }
  U_.rightCols(p - plain) *= norms.tail(p - plain).asDiagonal();
  U_.topLeftCorner(plain, plain).setIdentity();
  norms.head(plain).setOnes();
  finishPreconditioner(norms, least_diagonal, plain);
}

void BatchedGram::finishPreconditioner(const VectorXd& norms, double least_diagonal, Index plain) {
  const Index p = U_.cols();
  dependent_.assign(p, false);
  for (Index j = 0; j < p; ++j) {
    if (std::abs(U_(j, j)) > least_diagonal * norms(j)) continue;
    dependent_[j] = true;
    U_(j, j) = norms(j) > 0.0 ? norms(j) : 1.0;
  }
  gram_ = GramSums(U_, plain, order_);
  trailing_.resize(0, 0);
}

MatrixXd BatchedGram::inOriginalOrder(const MatrixXd& R) const {
  MatrixXd product = upperProduct(R, U_);
  if (in_order_) return product;
  MatrixXd original(product.rows(), product.cols());
  original(Eigen::all, order_) = product;
  return triangularize(original);
}

BatchedGram::BatchedGram(const Eigen::Ref<const MatrixXd>& sample) {
  arrangePreconditioner(factorOf(sample), kDependent);
}

void BatchedGram::add(const Eigen::Ref<const MatrixXd>& X, Scratch& scratch) {
  if (X.rows() > 0) gram_.add(X, scratch);
}

// Rows with leading zeros have them in X U^-1 too.
void BatchedGram::addTrailing(const Eigen::Ref<const MatrixXd>& X, Index zeros, Scratch& scratch) {
  if (X.rows() == 0) return;
  const Index p = X.cols();
  GramSums sums(U_.bottomRightCorner(p, p), 0, inGivenOrder(p));
  sums.add(X, scratch);
  if (trailing_.size() == 0) trailing_ = MatrixXd::Zero(zeros + p, zeros + p);
  trailing_.bottomRightCorner(p, p) += sums.upper();
}

MatrixXd BatchedGram::gram() const {
  MatrixXd G = gram_.upper();
  if (trailing_.size() > 0) G += trailing_;
  return G;
}

std::optional<MatrixXd> BatchedGram::factor() const {
  MatrixXd R = gram();
  if (!choleskyUpper(R, dependent_, kLeastPivot)) return std::nullopt;
  return inOriginalOrder(R);
}

bool BatchedGram::restart() {
  const std::optional<MatrixXd> R = shiftedCholesky(gram());
  // From here on the rounding remainder of a dependent column is kept as it is.
  if (R) setPreconditioner(inOriginalOrder(*R), kZero);
  return R.has_value();
}

std::optional<MatrixXd> gramFactor(const MatrixXd& held,
                                   const Eigen::Ref<const MatrixXd>& X,
                                   const MatrixXd* similar) {
  BatchedGram gram;
  gram.setPreconditioner(similar != nullptr ? *similar : sampleFactor(held, X), kDependent);
  Scratch scratch;
  const std::vector<Band> bands = bandsOf(X);
  const auto add_all = [&] {
    if (bands.empty()) gram.add(X, scratch);
    for (const Band& band : bands) gram.addTrailing(band.rows, band.zeros, scratch);
    gram.add(held, scratch);
  };
  for (int restarts = 0;; ++restarts) {
    add_all();
    std::optional<MatrixXd> R = gram.factor();
    if (R || restarts == BatchedGram::kRestarts || !gram.restart()) return R;
  }
}

}  // namespace dynid
