#include "dynid/kernels/dense.h"

#include "dynid/kernels/instruction_set.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Runs with every instruction set of the processor, against Eigen compiled without native
/// instructions.
class Dense : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (const char* before = std::getenv("DYNID_ISA")) before_ = before;
    setenv("DYNID_ISA", GetParam().c_str(), 1);
    std::srand(7);  // of MatrixXd::Random
  }
  void TearDown() override {
    if (before_)
      setenv("DYNID_ISA", before_->c_str(), 1);
    else
      unsetenv("DYNID_ISA");
  }

  /// A part of a larger matrix, so that columns are not adjacent in memory.
  MatrixXd whole_ = MatrixXd::Random(90, 70);
  Eigen::Block<MatrixXd> part(Index rows, Index cols) { return whole_.block(3, 2, rows, cols); }

 private:
  std::optional<std::string> before_;
};

double difference(const MatrixXd& a, const MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST_P(Dense, ProductsAreThoseOfTheDefinition) {
  const MatrixXd B = MatrixXd::Random(37, 29);
  EXPECT_LT(difference(denseProduct(part(53, 37), B), part(53, 37).lazyProduct(B)), 1e-13);
  EXPECT_LT(difference(denseGram(part(53, 37)), part(53, 37).transpose().lazyProduct(part(53, 37))),
            1e-13);
}

TEST_P(Dense, TheOuterGramIsTheLowerHalfForAnyNumberOfThreads) {
  for (const Index rows : {53, 128, 151}) {
    const MatrixXd wide = MatrixXd::Random(rows, 37);
    const MatrixXd gram = wide.lazyProduct(wide.transpose());
    const MatrixXd expected = gram.triangularView<Eigen::Lower>();
    EXPECT_LT(difference(denseLowerOuterGram(wide), expected), 1e-13);
    for (const int threads : {2, 3, 8})
      EXPECT_EQ(denseLowerOuterGram(wide, threads), denseLowerOuterGram(wide)) << threads;
  }
}

TEST_P(Dense, CholeskyFactorsWhatIsPositiveAndSaysWhatIsNot) {
  const MatrixXd A = denseGram(part(80, 60));
  MatrixXd L = A;
  L.triangularView<Eigen::StrictlyUpper>().setConstant(NAN);  // not read
  ASSERT_TRUE(denseCholesky(L));
  const MatrixXd lower = L.triangularView<Eigen::Lower>();
  EXPECT_LT(difference(lower * lower.transpose(), A), 1e-12);
  const MatrixXd B = MatrixXd::Random(60, 5);
  EXPECT_LT(difference(lower * denseSolveLower(L, B), B), 1e-12);

  MatrixXd indefinite = A;
  indefinite(40, 40) = -1.0;
  EXPECT_FALSE(denseCholesky(indefinite));
}

TEST_P(Dense, TheUpperFactorHasTheGramMatrixOfTheRows) {
  for (const Index rows : {85, 20}) {  // more and fewer than columns
    const MatrixXd X = part(rows, 60);
    const MatrixXd R = denseUpperFactor(X);
    ASSERT_EQ(R.rows(), std::min<Index>(rows, 60));
    EXPECT_TRUE(MatrixXd(R.triangularView<Eigen::StrictlyLower>()).isZero(0.0));
    EXPECT_LT(difference(R.transpose() * R, X.transpose() * X), 1e-12);
  }
}

TEST_P(Dense, TheUpperFactorHasTheAccuracyOfReflections) {
  MatrixXd X = part(80, 20);
  for (Index c = 1; c < 20; ++c) X.col(c) = X.col(0) + 1e-7 * X.col(c);  // squares lose this
  const MatrixXd expected = Eigen::HouseholderQR<MatrixXd>(X).matrixQR().topRows(20);
  const MatrixXd R = denseUpperFactor(X);
  for (Index i = 0; i < 20; ++i)
    EXPECT_NEAR(std::abs(R(i, i) / expected(i, i)), 1.0, 1e-6) << "row " << i;
}

TEST_P(Dense, ReflectionsSolveForSeveralRightHandSides) {
  MatrixXd X = part(80, 60);
  for (Index c = 1; c < 20; ++c) X.col(c) = X.col(0) + 1e-7 * X.col(c);  // squares lose this
  const DenseReflections reflections(X);
  const Eigen::HouseholderQR<MatrixXd> expected(X);
  for (int k = 0; k < 3; ++k) {
    const Eigen::VectorXd y = Eigen::VectorXd::Random(60), b = Eigen::VectorXd::Random(80);
    EXPECT_LT(difference(reflections.leastSquares(X * y), y), 1e-7);
    const Eigen::VectorXd closest = X * Eigen::VectorXd(expected.solve(b));
    EXPECT_LT(difference(X * reflections.leastSquares(b), closest), 1e-6);
  }
  EXPECT_THROW(DenseReflections(MatrixXd::Random(3, 4)), std::invalid_argument);
}

// The same bits wherever a result lies in memory: it must not depend on what else was allocated.
TEST_P(Dense, ResultsDoNotDependOnAddresses) {
  for (const Index size : {3, 5, 6, 7, 21}) {
    const MatrixXd A = whole_.topLeftCorner(size, size), B = whole_.bottomRightCorner(size, size);
    const MatrixXd X = whole_.topRows(2 * size).leftCols(size);
    const MatrixXd product = denseProduct(A, B), R = denseUpperFactor(X);
    std::vector<MatrixXd> others;  // keep their memory, so that the next results lie elsewhere
    for (int k = 0; k < 16; ++k) {
      others.push_back(denseProduct(A, B));
      EXPECT_EQ(others.back(), product) << size;
      others.push_back(denseUpperFactor(X));
      EXPECT_EQ(others.back(), R) << size;
    }
  }
}

// A channel without rows or columns is no error.
TEST_P(Dense, EmptyMatricesGiveEmptyOrZeroResults) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{0, 4}, {4, 0}, {0, 0}}) {
    const MatrixXd X(rows, columns);
    EXPECT_EQ(denseGram(X), MatrixXd::Zero(columns, columns));
    EXPECT_EQ(denseLowerOuterGram(X), MatrixXd::Zero(rows, rows));
    EXPECT_EQ(denseProduct(X, MatrixXd(columns, 3)), MatrixXd::Zero(rows, 3));
    EXPECT_EQ(denseUpperFactor(X).size(), 0);
  }
  MatrixXd none;
  EXPECT_TRUE(denseCholesky(none));
  EXPECT_EQ(DenseReflections(none).leastSquares({}).size(), 0);
  EXPECT_TRUE(denseSymmetricEigen(none).converged);
  EXPECT_EQ(denseSolveLower(MatrixXd::Identity(3, 3), MatrixXd(3, 0)).cols(), 0);
}

TEST_P(Dense, EigenvectorsDiagonalise) {
  MatrixXd A = denseGram(part(80, 60));
  const MatrixXd full = A;
  A.triangularView<Eigen::StrictlyUpper>().setConstant(NAN);  // not read
  const SymmetricEigen eigen = denseSymmetricEigen(A);
  ASSERT_TRUE(eigen.converged);
  EXPECT_LT(difference(eigen.vectors.transpose() * eigen.vectors, MatrixXd::Identity(60, 60)),
            1e-12);
  EXPECT_LT(difference(full * eigen.vectors, eigen.vectors * eigen.values.asDiagonal()), 1e-11);
  for (Index i = 1; i < 60; ++i) EXPECT_LE(eigen.values(i - 1), eigen.values(i));
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const InstructionSet& set : availableInstructionSets()) names.push_back(set.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(EachInstructionSet, Dense, ::testing::ValuesIn(names()));

}  // namespace
}  // namespace dynid
