#include "dynid/kernels/dense.h"

#include "dynid/core/parallel.h"
#include "dynid/kernels/dense_requests.h"
#include "dynid/kernels/instruction_set.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace dynid {

#define DYNID_DENSE(name)                                                                        \
  namespace name {                                                                               \
  void product(const ConstDenseMatrix& A, const ConstDenseMatrix& B, const DenseMatrix& C);      \
  void outerProduct(const ConstDenseMatrix& A, const ConstDenseMatrix& B, const DenseMatrix& C); \
  void addGram(const ConstDenseMatrix& X, const DenseMatrix& G);                                 \
  void addOuterGram(const ConstDenseMatrix& X, const DenseMatrix& G);                            \
  bool cholesky(const DenseMatrix& A);                                                           \
  void solveLower(const ConstDenseMatrix& L, const DenseMatrix& B);                              \
  void householder(const DenseMatrix& X, double* factors);                                       \
  bool symmetricEigen(const DenseMatrix& A, double* values);                                     \
  }
DYNID_DENSE(dense_sse2)
#if defined(__x86_64__)
DYNID_DENSE(dense_avx2)
DYNID_DENSE(dense_avx512)
#endif
#undef DYNID_DENSE

namespace {

struct DenseKernels {
  decltype(&dense_sse2::product) product, outer_product;
  decltype(&dense_sse2::addGram) add_gram, add_outer_gram;
  decltype(&dense_sse2::cholesky) cholesky;
  decltype(&dense_sse2::solveLower) solve_lower;
  decltype(&dense_sse2::householder) householder;
  decltype(&dense_sse2::symmetricEigen) symmetric_eigen;
};

#define DYNID_DENSE(name)                                                                 \
  {                                                                                       \
    name::product, name::outerProduct, name::addGram, name::addOuterGram, name::cholesky, \
        name::solveLower, name::householder, name::symmetricEigen                         \
  }

DenseKernels kernels() {
#if defined(__x86_64__)
  const int lanes = chosenInstructionSet().lanes;
  if (lanes == 8) return DYNID_DENSE(dense_avx512);
  if (lanes == 4) return DYNID_DENSE(dense_avx2);
#endif
  return DYNID_DENSE(dense_sse2);
}
#undef DYNID_DENSE

ConstDenseMatrix passed(const Eigen::Ref<const Eigen::MatrixXd>& A) {
  return {A.data(), A.rows(), A.cols(), A.outerStride()};
}

DenseMatrix passed(Eigen::MatrixXd& A) { return {A.data(), A.rows(), A.cols(), A.rows()}; }

}  // namespace

Eigen::MatrixXd denseProduct(const Eigen::Ref<const Eigen::MatrixXd>& A,
                             const Eigen::Ref<const Eigen::MatrixXd>& B) {
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(A.rows(), B.cols());
  if (C.size() == 0 || A.cols() == 0) return C;
  kernels().product(passed(A), passed(B), passed(C));
  return C;
}

Eigen::MatrixXd denseGram(const Eigen::Ref<const Eigen::MatrixXd>& X) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(X.cols(), X.cols());
  if (X.size() == 0) return G;
  kernels().add_gram(passed(X), passed(G));
  G.triangularView<Eigen::StrictlyUpper>() = G.transpose();
  return G;
}

Eigen::MatrixXd denseLowerOuterGram(const Eigen::Ref<const Eigen::MatrixXd>& X, int threads) {
  constexpr Eigen::Index kLeastRows = 128;  // with fewer, starting a thread takes as long
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(X.rows(), X.rows());
  if (X.size() == 0) return G;
  const DenseKernels kernel = kernels();
  if (X.rows() < kLeastRows) {
    kernel.add_outer_gram(passed(X), passed(G));
    return G;
  }
  // The block below the diagonal costs as much as both on it.
  const Eigen::Index upper = X.rows() / 2, lower = X.rows() - upper, n = X.rows();
  const ConstDenseMatrix above = passed(X.topRows(upper)), below = passed(X.bottomRows(lower));
  parallelFor(3, threads, [&](int block) {
    if (block == 0) kernel.outer_product(below, above, {G.data() + upper, lower, upper, n});
    if (block == 1) kernel.add_outer_gram(below, {G.data() + upper * (n + 1), lower, lower, n});
    if (block == 2) kernel.add_outer_gram(above, {G.data(), upper, upper, n});
  });
  return G;
}

bool denseCholesky(Eigen::Ref<Eigen::MatrixXd> A) {
  if (A.size() == 0) return true;
  return kernels().cholesky({A.data(), A.rows(), A.cols(), A.outerStride()});
}

Eigen::MatrixXd denseSolveLower(const Eigen::Ref<const Eigen::MatrixXd>& L, Eigen::MatrixXd B) {
  if (B.size() == 0) return B;
  kernels().solve_lower(passed(L), passed(B));
  return B;
}

Eigen::MatrixXd denseUpperFactor(Eigen::MatrixXd X) {
  const Eigen::Index kept = std::min(X.rows(), X.cols());
  Eigen::VectorXd factors(kept);
  if (X.size() != 0) kernels().householder(passed(X), factors.data());
  Eigen::MatrixXd R = X.topRows(kept).triangularView<Eigen::Upper>();
  return R;
}

DenseReflections::DenseReflections(Eigen::MatrixXd X)
    : packed_(std::move(X)), factors_(packed_.cols()) {
  if (packed_.rows() < packed_.cols())
    throw std::invalid_argument(fmt::format(
        "got {} rows of {} columns; expected at least as many", packed_.rows(), packed_.cols()));
  if (packed_.size() != 0) kernels().householder(passed(packed_), factors_.data());
}

Eigen::VectorXd DenseReflections::leastSquares(Eigen::VectorXd b) const {
  const Eigen::Index n = packed_.cols();
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto reflector = packed_.col(k).tail(packed_.rows() - k - 1);
    auto rest = b.tail(reflector.size());
    const double step = factors_(k) * (b(k) + reflector.dot(rest));
    b(k) -= step;
    rest -= step * reflector;
  }
  return packed_.topRows(n).triangularView<Eigen::Upper>().solve(b.head(n));
}

SymmetricEigen denseSymmetricEigen(Eigen::MatrixXd A) {
  SymmetricEigen result;
  result.values.resize(A.cols());
  if (A.size() == 0) {
    result.converged = true;
    return result;
  }
  result.converged = kernels().symmetric_eigen(passed(A), result.values.data());
  result.vectors = std::move(A);
  return result;
}

}  // namespace dynid
