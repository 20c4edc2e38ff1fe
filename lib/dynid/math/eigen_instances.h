// Eigen's large templates for matrices of doubles, compiled once in eigen_instances.cpp. Without
// these declarations every file that decomposes a matrix compiles them again: five such files took
// 77 s of processor time together, and take 37 s with them. The build includes this header
// everywhere (precompiled); code includes Eigen's headers as usual.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <Eigen/Householder>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#ifndef DYNID_EIGEN_INSTANCE
#define DYNID_EIGEN_INSTANCE extern template
#endif

namespace Eigen {
DYNID_EIGEN_INSTANCE class HouseholderQR<MatrixXd>;
DYNID_EIGEN_INSTANCE class ColPivHouseholderQR<MatrixXd>;
DYNID_EIGEN_INSTANCE class CompleteOrthogonalDecomposition<MatrixXd>;
DYNID_EIGEN_INSTANCE class PartialPivLU<MatrixXd>;
DYNID_EIGEN_INSTANCE class FullPivLU<MatrixXd>;
DYNID_EIGEN_INSTANCE class JacobiSVD<MatrixXd>;
DYNID_EIGEN_INSTANCE SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(
    const EigenBase<MatrixXd>&, int);
DYNID_EIGEN_INSTANCE LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
DYNID_EIGEN_INSTANCE LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);

// Products with the orthogonal factor of a QR decomposition.
namespace internal {
using DynamicBlock = Block<MatrixXd, Dynamic, Dynamic, false>;
using VectorAsBlock = Block<VectorXd, Dynamic, Dynamic, false>;
using Coefficients = VectorBlock<const VectorXd>;
DYNID_EIGEN_INSTANCE void apply_block_householder_on_the_left(DynamicBlock&,
                                                              const DynamicBlock&,
                                                              const Coefficients&,
                                                              bool);
DYNID_EIGEN_INSTANCE void apply_block_householder_on_the_left(VectorAsBlock&,
                                                              const DynamicBlock&,
                                                              const Coefficients&,
                                                              bool);
DYNID_EIGEN_INSTANCE void tridiagonalization_inplace(
    MatrixXd&, VectorXd&, VectorXd&, VectorXd&, bool);
}  // namespace internal
DYNID_EIGEN_INSTANCE void MatrixBase<internal::DynamicBlock>::applyHouseholderOnTheLeft(
    const Block<const MatrixXd, Dynamic, 1, false>&, const double&, double*);
DYNID_EIGEN_INSTANCE void MatrixBase<internal::DynamicBlock>::applyHouseholderOnTheRight(
    const Block<const MatrixXd, Dynamic, 1, false>&, const double&, double*);
DYNID_EIGEN_INSTANCE void MatrixBase<internal::VectorAsBlock>::applyHouseholderOnTheLeft(
    const Block<const MatrixXd, Dynamic, 1, false>&, const double&, double*);
}  // namespace Eigen
