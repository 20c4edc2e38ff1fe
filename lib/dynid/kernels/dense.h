#pragma once

#include <Eigen/Core>

namespace dynid {

// Dense linear algebra for matrices of tens to thousands of columns. The algorithms are Eigen's,
// compiled for each instruction set; the widest one that the processor has is used (or the one that
// the environment variable DYNID_ISA names). One thread; on one processor the result depends on the
// arguments only.

/// A B.
Eigen::MatrixXd denseProduct(const Eigen::Ref<const Eigen::MatrixXd>& A,
                             const Eigen::Ref<const Eigen::MatrixXd>& B);

/// X^T X, both halves.
Eigen::MatrixXd denseGram(const Eigen::Ref<const Eigen::MatrixXd>& X);

/// X X^T, both halves.
Eigen::MatrixXd denseOuterGram(const Eigen::Ref<const Eigen::MatrixXd>& X);

/// Replaces the lower half of A [n x n] by L, A = L L^T; reads nothing above the diagonal.
/// @returns false where A is not positive definite (A is then destroyed)
bool denseCholesky(Eigen::Ref<Eigen::MatrixXd> A);

/// L^-1 B. Reads the lower half of L.
Eigen::MatrixXd denseSolveLower(const Eigen::Ref<const Eigen::MatrixXd>& L, Eigen::MatrixXd B);

/// The upper triangular factor of X by Householder reflections, [min(rows, columns) x columns].
Eigen::MatrixXd denseUpperFactor(Eigen::MatrixXd X);

/// Eigenvalues in increasing order and eigenvectors of a symmetric matrix, of which the lower half
/// is read.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;  ///< columns of unit length
  bool converged = false;
};
SymmetricEigen denseSymmetricEigen(Eigen::MatrixXd A);

}  // namespace dynid
