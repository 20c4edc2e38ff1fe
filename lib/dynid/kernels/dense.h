#pragma once

#include <Eigen/Core>

namespace dynid {

// Dense linear algebra for matrices of tens to thousands of columns. The algorithms are Eigen's,
// compiled for each instruction set; the widest one that the processor has is used (or the one that
// the environment variable DYNID_ISA names). On one processor the result depends on the matrices
// only. One thread, where no other number is given.

/// A B.
Eigen::MatrixXd denseProduct(const Eigen::Ref<const Eigen::MatrixXd>& A,
                             const Eigen::Ref<const Eigen::MatrixXd>& B);

/// X^T X, both halves.
Eigen::MatrixXd denseGram(const Eigen::Ref<const Eigen::MatrixXd>& X);

/// The lower half of X X^T; zero above the diagonal.
Eigen::MatrixXd denseLowerOuterGram(const Eigen::Ref<const Eigen::MatrixXd>& X, int threads = 1);

/// Replaces the lower half of A [n x n] by L, A = L L^T; reads nothing above the diagonal.
/// @returns false where A is not positive definite (A is then destroyed)
bool denseCholesky(Eigen::Ref<Eigen::MatrixXd> A);

/// L^-1 B. Reads the lower half of L.
Eigen::MatrixXd denseSolveLower(const Eigen::Ref<const Eigen::MatrixXd>& L, Eigen::MatrixXd B);

/// The upper triangular factor of X by Householder reflections, [min(rows, columns) x columns].
Eigen::MatrixXd denseUpperFactor(Eigen::MatrixXd X);

/// Q and R of X = Q R by Householder reflections, for several right-hand sides.
class DenseReflections {
 public:
  /// @param X  [m x n]
  /// @throws std::invalid_argument for m < n
  explicit DenseReflections(Eigen::MatrixXd X);

  /// The y with the least ||X y - b||; not finite where X does not have full rank.
  Eigen::VectorXd leastSquares(Eigen::VectorXd b) const;

 private:
  Eigen::MatrixXd packed_;   // R and, below the diagonal, the vectors of the reflections
  Eigen::VectorXd factors_;  // 1 - factor (1, v) (1, v)^T is one reflection
};

/// Eigenvalues in increasing order and eigenvectors of a symmetric matrix, of which the lower half
/// is read.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;  ///< columns of unit length
  bool converged = false;
};
SymmetricEigen denseSymmetricEigen(Eigen::MatrixXd A);

}  // namespace dynid
