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
DYNID_EIGEN_INSTANCE PartialPivLU<MatrixXd>::PartialPivLU(const EigenBase<MatrixXd>&);
DYNID_EIGEN_INSTANCE PartialPivLU<MatrixXd>& PartialPivLU<MatrixXd>::compute(
    const EigenBase<MatrixXd>&);
DYNID_EIGEN_INSTANCE class FullPivLU<MatrixXd>;
DYNID_EIGEN_INSTANCE class JacobiSVD<MatrixXd>;
DYNID_EIGEN_INSTANCE SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(
    const EigenBase<MatrixXd>&, int);
DYNID_EIGEN_INSTANCE SelfAdjointEigenSolver<Matrix4d>& SelfAdjointEigenSolver<Matrix4d>::compute(
    const EigenBase<Matrix4d>&, int);
DYNID_EIGEN_INSTANCE LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);
DYNID_EIGEN_INSTANCE LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<MatrixXd>&);

// What Eigen never inlines in products of matrices and vectors and in solutions with triangular
// matrices.
// clang-format off
namespace internal {
DYNID_EIGEN_INSTANCE struct compute_inverse<MatrixXd, MatrixXd, Dynamic>;
using Pack = gebp_traits<double, double>;
using LeftPacket = Pack::LhsPacket4Packing;
using RowsOf = const_blas_data_mapper<double, Index, RowMajor>;
using ColumnsOf = const_blas_data_mapper<double, Index, ColMajor>;
using ResultOf = blas_data_mapper<double, Index, ColMajor>;
DYNID_EIGEN_INSTANCE struct gebp_kernel<double, double, Index, ResultOf, Pack::mr, Pack::nr, false, false>;
DYNID_EIGEN_INSTANCE struct gemm_pack_lhs<double, Index, RowsOf, Pack::mr, Pack::LhsProgress, LeftPacket, RowMajor>;
DYNID_EIGEN_INSTANCE struct gemm_pack_rhs<double, Index, RowsOf, Pack::nr, RowMajor>;
DYNID_EIGEN_INSTANCE struct gemm_pack_lhs<double, Index, ColumnsOf, Pack::mr, Pack::LhsProgress, LeftPacket, ColMajor>;
DYNID_EIGEN_INSTANCE struct gemm_pack_rhs<double, Index, ColumnsOf, Pack::nr, ColMajor>;
DYNID_EIGEN_INSTANCE struct gemm_pack_rhs<double, Index, ResultOf, Pack::nr, ColMajor, false, true>;
DYNID_EIGEN_INSTANCE struct general_matrix_matrix_product<Index, double, RowMajor, false, double, RowMajor, false, ColMajor, 1>;
DYNID_EIGEN_INSTANCE struct general_matrix_matrix_product<Index, double, RowMajor, false, double, ColMajor, false, ColMajor, 1>;
DYNID_EIGEN_INSTANCE struct general_matrix_matrix_product<Index, double, ColMajor, false, double, RowMajor, false, ColMajor, 1>;
DYNID_EIGEN_INSTANCE struct general_matrix_matrix_product<Index, double, ColMajor, false, double, ColMajor, false, ColMajor, 1>;
DYNID_EIGEN_INSTANCE struct general_matrix_vector_product<Index, double, RowsOf, RowMajor, false, double, RowsOf, false>;
DYNID_EIGEN_INSTANCE struct general_matrix_vector_product<Index, double, RowsOf, RowMajor, false, double, ColumnsOf, false>;
DYNID_EIGEN_INSTANCE struct general_matrix_vector_product<Index, double, ColumnsOf, ColMajor, false, double, RowsOf, false>;
DYNID_EIGEN_INSTANCE struct general_matrix_vector_product<Index, double, ColumnsOf, ColMajor, false, double, ColumnsOf, false>;
DYNID_EIGEN_INSTANCE struct triangular_solve_matrix<double, Index, OnTheLeft, Lower, false, ColMajor, ColMajor, 1>;
DYNID_EIGEN_INSTANCE struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, ColMajor, ColMajor, 1>;
DYNID_EIGEN_INSTANCE struct triangular_solve_matrix<double, Index, OnTheLeft, UnitLower, false, ColMajor, ColMajor, 1>;
DYNID_EIGEN_INSTANCE struct triangular_solve_vector<double, double, Index, OnTheLeft, Lower, false, ColMajor>;
DYNID_EIGEN_INSTANCE struct triangular_solve_vector<double, double, Index, OnTheLeft, Upper, false, ColMajor>;
DYNID_EIGEN_INSTANCE struct triangular_solve_vector<double, double, Index, OnTheLeft, UnitLower, false, ColMajor>;
DYNID_EIGEN_INSTANCE void evaluateProductBlockingSizesHeuristic<double, double, 1>(Index&, Index&, Index&, Index);
DYNID_EIGEN_INSTANCE void evaluateProductBlockingSizesHeuristic<double, double, 4>(Index&, Index&, Index&, Index);
}  // namespace internal
// clang-format on

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
