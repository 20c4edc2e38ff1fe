#include "dynid/regression/gram_factor.h"

#include "dynid/regression/triangular_factor.h"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "regression/reference_factor.h"
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

class GramFactor : public ::testing::Test {
 protected:
  MatrixXd noise(Index rows, Index columns) {
    std::normal_distribution<double> normal;
    return MatrixXd::NullaryExpr(rows, columns, [&] { return normal(rng_); });
  }
  std::mt19937_64 rng_{17};
};

// Rows in batches, preconditioned by a sample from all of them.
std::optional<MatrixXd> batchedFactor(const MatrixXd& X) {
  const Index stride = std::max<Index>(1, X.rows() / 264);
  std::vector<Index> some;
  for (Index i = 0; i < X.rows(); i += stride) some.push_back(i);
  BatchedGram gram(X(some, Eigen::all));
  Scratch scratch;
  for (int restarts = 0;; ++restarts) {
    for (Index i = 0; i < X.rows(); i += 264)
      gram.add(X.middleRows(i, std::min<Index>(264, X.rows() - i)), scratch);
    std::optional<MatrixXd> R = gram.factor();
    if (R || restarts == BatchedGram::kRestarts || !gram.restart()) return R;
  }
}

// The factors computed at once and in batches.
std::vector<std::optional<MatrixXd>> bothWays(const MatrixXd& X) {
  return {gramFactor({}, X), batchedFactor(X)};
}

// Reference: the error of Eigen's Householder, compiled without native instructions, against long
// double, for condition numbers 1e2 to 1e10 and columns over twelve decades.
TEST_F(GramFactor, IsAsAccurateAsHouseholder) {
  for (const double closeness : {1e-1, 6e-2, 3e-2, 1e-3, 1e-5, 1e-9}) {
    MatrixXd X = noise(3000, 20);
    for (Index c = 1; c < 20; ++c) X.col(c) = X.col(c - 1) + closeness * X.col(c);
    for (Index c = 0; c < 20; ++c) X.col(c) *= std::pow(10.0, static_cast<double>(c % 13) - 6.0);
    const MatrixXd expected = longFactor(X);
    const auto error = [&](const MatrixXd& made) {
      return ((positive(made) - expected).array().abs() /
              expected.diagonal().replicate(1, 20).array())
          .matrix()
          .triangularView<Eigen::Upper>()
          .toDenseMatrix()
          .maxCoeff();
    };
    // The error that a change of every column by the rounding of its norm, within the space of all
    // columns, causes: no stable algorithm can be expected to stay below it.
    const MatrixXd basis =
        Eigen::HouseholderQR<MatrixXd>(X).householderQ() * MatrixXd::Identity(X.rows(), 20);
    double unavoidable = 0.0;
    for (int i = 0; i < 5; ++i) {
      const MatrixXd change = std::numeric_limits<double>::epsilon() * MatrixXd::Random(20, 20) *
                              X.colwise().norm().asDiagonal();
      unavoidable = std::max(unavoidable, error(longFactor(X + basis * change)));
    }
    const double most = 20.0 * unavoidable + 1e-13;
    EXPECT_LT(error(triangularize(X)), most) << "closeness " << closeness;
    for (const std::optional<MatrixXd>& R : bothWays(X)) {
      ASSERT_TRUE(R);
      EXPECT_LT(error(*R), most) << "closeness " << closeness;
    }
  }
}

// Two columns that are parallel up to 1e-9 must not reduce the accuracy of later columns: by
// columns, R^T R equals X^T X.
TEST_F(GramFactor, AnEarlyNearDependencyCostsTheOthersNothing) {
  MatrixXd X = noise(3000, 12);
  X.col(1) = X.col(0) + 1e-9 * X.col(1);
  X.col(6) = X.col(5) - X.col(0) + 1e-7 * X.col(6);
  const LongMatrix gram = X.cast<long double>().transpose() * X.cast<long double>();
  for (const std::optional<MatrixXd>& R : bothWays(X)) {
    ASSERT_TRUE(R);
    const LongMatrix error = R->cast<long double>().transpose() * R->cast<long double>() - gram;
    for (Index i = 0; i < 12; ++i)
      for (Index j = 0; j < 12; ++j)
        EXPECT_LT(std::abs(static_cast<double>(error(i, j))),
                  1e-14 * X.col(i).norm() * X.col(j).norm());
  }
}

// Rank decisions must agree with Householder: only rounding is left of the dependent column, and
// all others are unchanged.
TEST_F(GramFactor, DependentColumnsKeepTheirRank) {
  MatrixXd X = noise(2000, 9);
  X.col(4) = X.leftCols(4) * Eigen::Vector4d(1.0, -2.0, 0.5, 3.0);
  X.col(6).setZero();
  const MatrixXd gram = X.transpose() * X;
  for (const std::optional<MatrixXd>& R : bothWays(X)) {
    ASSERT_TRUE(R);
    EXPECT_LT(std::abs((*R)(4, 4)), 1e-12 * X.col(4).norm());
    EXPECT_EQ((*R)(6, 6), 0.0);
    EXPECT_LT((R->transpose() * *R - gram).norm(), 1e-13 * gram.norm());
  }
}

// Information that the sample of rows does not show (a joint that moves for a short time) must not
// be lost: the result is either right or refused, and TriangularFactor is right in any case.
TEST_F(GramFactor, WhatTheSampleMissesIsNotLost) {
  MatrixXd X = noise(4000, 10);
  X.col(3) = X.col(2);
  X.col(7).setZero();
  for (const Index row : {1, 3, 4, 6, 7}) X(row, 3) += 1e-4;
  for (const Index row : {2, 5, 8, 9}) X(row, 7) = 5.0;
  const MatrixXd expected = longFactor(X);
  if (const std::optional<MatrixXd> R = gramFactor({}, X)) {
    EXPECT_LT((positive(*R) - expected).norm(), 1e-12 * expected.norm());
  }
  TriangularFactor factor(10);
  factor.add(X);
  const MatrixXd made = positive(factor.R());
  EXPECT_NEAR(made(3, 3) / expected(3, 3), 1.0, 1e-9);
  EXPECT_NEAR(made(7, 7) / expected(7, 7), 1.0, 1e-12);
}

// The sampled rows are nearly dependent, the others are not: a Gram matrix of all rows then
// replaces the sample as preconditioner.
TEST_F(GramFactor, ASampleThatMisleadsIsReplaced) {
  MatrixXd X = noise(4000, 10);
  const Index stride = 4000 / 20;
  for (Index i = 0; i < X.rows(); ++i)
    X(i, 4) = X(i, 2) - X(i, 3) + (i % stride == 0 ? 1e-9 : 1e-3) * X(i, 4);
  X.col(8) = X.col(4) + 1e-2 * X.col(8);
  const std::optional<MatrixXd> R = gramFactor({}, X);
  ASSERT_TRUE(R);
  const MatrixXd expected = longFactor(X), found = positive(*R);
  EXPECT_NEAR(found(4, 4) / expected(4, 4), 1.0, 1e-11);
  for (Index c = 0; c < 10; ++c)
    EXPECT_LT((found.col(c) - expected.col(c)).norm(), 1e-12 * expected.col(c).norm());
}

// As the factors of many blocks are stacked.
TEST_F(GramFactor, OfStackedTriangles) {
  const Index p = 45;
  MatrixXd X(20 * p, p);
  for (Index block = 0; block < 20; ++block)
    X.middleRows(block * p, p) = noise(p, p).triangularView<Eigen::Upper>();
  X.middleRows(7 * p, p).setZero();
  const MatrixXd held = triangularize(noise(100, p));
  for (const MatrixXd& before : {MatrixXd(), held}) {
    MatrixXd all(before.rows() + X.rows(), p);
    if (before.rows() > 0) all.topRows(p) = before;
    all.bottomRows(X.rows()) = X;
    const std::optional<MatrixXd> R = gramFactor(before, X);
    ASSERT_TRUE(R);
    EXPECT_LT((positive(*R) - longFactor(all)).norm(), 1e-13 * R->norm());
  }
}

TEST_F(GramFactor, RowsThatAreCalledSimilarButAreNotChangeNothing) {
  MatrixXd X = noise(900, 12), other = noise(900, 12);
  X.col(5) = X.col(4) + 1e-4 * X.col(5);
  other.col(8) = other.col(2) - 3.0 * other.col(3);  // dependent there, but not in X
  other.col(1) *= 1e6;
  other.col(0).setZero();
  const MatrixXd similar = triangularize(other);
  const std::optional<MatrixXd> R = gramFactor({}, X, &similar);
  ASSERT_TRUE(R);
  const MatrixXd expected = longFactor(X), found = positive(*R);
  EXPECT_NEAR(found(5, 5) / expected(5, 5), 1.0, 1e-11);
  for (Index c = 0; c < 12; ++c)
    EXPECT_LT((found.col(c) - expected.col(c)).norm(), 1e-12 * expected.col(c).norm());
}

TEST_F(GramFactor, AddsToWhatIsHeld) {
  const MatrixXd before = noise(50, 8) * 30.0, X = noise(900, 8);
  MatrixXd all(950, 8);
  all << before, X;
  const std::optional<MatrixXd> R = gramFactor(triangularize(before), X);
  ASSERT_TRUE(R);
  EXPECT_LT((positive(*R) - longFactor(all)).norm(), 1e-13 * R->norm());
}

}  // namespace
}  // namespace dynid
