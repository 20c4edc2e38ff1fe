#include "dynid/kernels/dense.h"

#include "dynid/kernels/dense_requests.h"
#include "dynid/kernels/instruction_set.h"

#include <algorithm>
#include <utility>

namespace dynid {

#define DYNID_DENSE(name)                                                                   \
  namespace name {                                                                          \
  void product(const ConstDenseMatrix& A, const ConstDenseMatrix& B, const DenseMatrix& C); \
  void addGram(const ConstDenseMatrix& X, const DenseMatrix& G);                            \
  void addOuterGram(const ConstDenseMatrix& X, const DenseMatrix& G);                       \
  bool cholesky(const DenseMatrix& A);                                                      \
  void solveLower(const ConstDenseMatrix& L, const DenseMatrix& B);                         \
  void householder(const DenseMatrix& X);                                                   \
  bool symmetricEigen(const DenseMatrix& A, double* values);                                \
  }
DYNID_DENSE(dense_sse2)
#if defined(__x86_64__)
DYNID_DENSE(dense_avx2)
DYNID_DENSE(dense_avx512)
#endif
#undef DYNID_DENSE

namespace {

struct DenseKernels {
  decltype(&dense_sse2::product) product;
  decltype(&dense_sse2::addGram) add_gram, add_outer_gram;
  decltype(&dense_sse2::cholesky) cholesky;
  decltype(&dense_sse2::solveLower) solve_lower;
  decltype(&dense_sse2::householder) householder;
  decltype(&dense_sse2::symmetricEigen) symmetric_eigen;
};

#define DYNID_DENSE(name)                                                               \
  {                                                                                     \
    name::product, name::addGram, name::addOuterGram, name::cholesky, name::solveLower, \
        name::householder, name::symmetricEigen                                         \
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

Eigen::MatrixXd denseOuterGram(const Eigen::Ref<const Eigen::MatrixXd>& X) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(X.rows(), X.rows());
  if (X.size() == 0) return G;
  kernels().add_outer_gram(passed(X), passed(G));
  G.triangularView<Eigen::StrictlyUpper>() = G.transpose();
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
  if (X.size() != 0) kernels().householder(passed(X));
  const Eigen::Index kept = std::min(X.rows(), X.cols());
  Eigen::MatrixXd R = X.topRows(kept).triangularView<Eigen::Upper>();
  return R;
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
