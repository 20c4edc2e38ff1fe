#include "dynid/regression/triangular_factor.h"

#include <Eigen/QR>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regression/reference_factor.h"
#include <cmath>
#include <random>

namespace dynid {
namespace {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

// Columns between 1e-6 and 1e6, neighbours nearly parallel, and a right-hand side outside their
// span.
Eigen::MatrixXd badlyScaled(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd X = Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return normal(rng); });
  for (Eigen::Index c = 1; c + 1 < columns; ++c) X.col(c) = X.col(c - 1) + 0.01 * X.col(c);
  for (Eigen::Index c = 0; c + 1 < columns; ++c)
    X.col(c) *= std::pow(10.0, -6.0 + 12.0 * static_cast<double>(c) / static_cast<double>(columns));
  return X;
}

// Largest error of a column relative to its norm, which Householder bounds independent of scaling.
double columnError(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
  return ((A - B).colwise().norm().array() / B.colwise().norm().array()).maxCoeff();
}

TEST(TriangularFactor, PiecesGiveTheWholeOnABadlyScaledProblem) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Eigen::MatrixXd X = badlyScaled(4000, 12, seed);
    TriangularFactor factor(12);
    std::mt19937_64 rng(seed);
    for (Eigen::Index at = 0; at < X.rows();) {
      const Eigen::Index rows = std::min<Eigen::Index>(
          X.rows() - at, std::uniform_int_distribution<Eigen::Index>(0, 700)(rng));
      factor.add(X.middleRows(at, rows));
      at += rows;
    }
    EXPECT_EQ(factor.rows(), 4000.0);
    // Neighbours are parallel up to 1e-2: entries of R may lose these two digits, but not the
    // columns.
    EXPECT_LT(columnError(positive(factor.R()), longFactor(X)), 1e-12) << "seed " << seed;
  }
}

TEST(TriangularFactor, SolvesLeastSquaresAsAccuratelyAsTheWholeStack) {
  const Eigen::MatrixXd X = badlyScaled(3000, 9, 7);
  TriangularFactor factor(9);
  for (Eigen::Index at = 0; at < X.rows(); at += 100) factor.add(X.middleRows(at, 100));
  const LongMatrix Y = X.leftCols(8).cast<long double>();
  const Eigen::VectorXd expected =
      Eigen::HouseholderQR<LongMatrix>(Y).solve(X.col(8).cast<long double>()).cast<double>();
  const Eigen::VectorXd beta = factor.R().topLeftCorner(8, 8).triangularView<Eigen::Upper>().solve(
      factor.R().topRightCorner(8, 1));
  // With normal equations in double precision (error about 1e-16 cond^2) no digit would be left.
  EXPECT_LT(((beta - expected).array() / expected.array()).abs().maxCoeff(), 1e-9);
  const double residual = (X.col(8) - X.leftCols(8) * expected).norm();
  EXPECT_NEAR(std::abs(factor.R()(8, 8)) / residual, 1.0, 1e-12);
}

// Held rows that are few, or many and used as R0 for the new ones; some columns small or zero in
// them.
TEST(TriangularFactor, WhatIsHeldNeedNotStandForWhatComes) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Eigen::MatrixXd X = badlyScaled(4000, 12, seed);
    for (const Eigen::Index held : {1, 3, 11, 40, 1990, 2010, 3950}) {
      for (const double share : {1.0, 1e-3, 1e-9, 0.0}) {
        Eigen::MatrixXd Y = X;
        for (const Eigen::Index c : {2, 5, 9}) Y.col(c).head(held) *= share;
        TriangularFactor factor(12);
        factor.add(Y.topRows(held));
        factor.add(Y.bottomRows(Y.rows() - held));
        EXPECT_LT(columnError(positive(factor.R()), longFactor(Y)), 1e-12)
            << "seed " << seed << ", " << held << " rows held, share " << share;
      }
    }
  }
}

TEST(TriangularFactor, MergingGivesTheWholeInAnyOrder) {
  const Eigen::MatrixXd X = badlyScaled(900, 6, 11);
  TriangularFactor a(6), b(6), empty(6);
  a.add(X.topRows(250));
  b.add(X.bottomRows(650));
  TriangularFactor ab = a, ba = b;
  ab.merge(b);
  ab.merge(empty);
  ba.merge(a);
  empty.merge(ab);
  const Eigen::MatrixXd expected = longFactor(X);
  for (const TriangularFactor& whole : {ab, ba, empty}) {
    EXPECT_EQ(whole.rows(), 900.0);
    EXPECT_LT(columnError(positive(whole.R()), expected), 1e-12);
  }
}

// Friction columns that decay contain numbers whose squares underflow.
TEST(TriangularFactor, MergingKnowsNoScale) {
  const Eigen::MatrixXd X = badlyScaled(40, 6, 12);
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(6);
  scale(1) = 1e-170;
  scale(4) = 1e-290;
  const auto merged = [&](const Eigen::MatrixXd& of) {
    TriangularFactor whole = TriangularFactor::fromUpper(
        triangularize(X.topRows(20)) * of.diagonal().asDiagonal(), 20.0);
    whole.merge(TriangularFactor::fromUpper(
        triangularize(X.bottomRows(20)) * of.diagonal().asDiagonal(), 20.0));
    return whole.R();
  };
  const Eigen::MatrixXd plain = merged(Eigen::MatrixXd::Identity(6, 6));
  const Eigen::MatrixXd scaled = merged(scale.asDiagonal()) * scale.cwiseInverse().asDiagonal();
  EXPECT_LT(columnError(scaled, plain), 1e-12);
}

TEST(TriangularFactor, FewerRowsThanColumnsLoseNothing) {
  const Eigen::MatrixXd X = badlyScaled(9, 7, 3);
  TriangularFactor factor(7);
  factor.add(X.topRows(3));
  EXPECT_EQ(factor.rows(), 3.0);
  EXPECT_EQ(factor.R().rows(), 3);
  EXPECT_EQ(factor.squareR().topRows(3), factor.R());
  EXPECT_TRUE(factor.squareR().bottomRows(4).isZero(0.0));
  const Eigen::MatrixXd gram = X.topRows(3).transpose() * X.topRows(3);
  const Eigen::MatrixXd of_factor = factor.R().transpose() * factor.R();
  EXPECT_LT(columnError(of_factor, gram), 1e-12);
  TriangularFactor rest(7);
  rest.add(X.bottomRows(6));
  factor.merge(rest);
  EXPECT_EQ(factor.rows(), 9.0);
  EXPECT_LT(columnError(positive(factor.R()), longFactor(X)), 1e-11);
}

TEST(TriangularFactor, NothingAddedIsZero) {
  TriangularFactor factor(4);
  factor.add(Eigen::MatrixXd(0, 4));
  EXPECT_EQ(factor.rows(), 0.0);
  EXPECT_EQ(factor.R().rows(), 0);
  EXPECT_TRUE(factor.squareR().isZero(0.0));
  EXPECT_TRUE(triangularize(Eigen::MatrixXd(0, 4)).isZero(0.0));
}

TEST(TriangularFactor, RefusesAnotherNumberOfColumns) {
  TriangularFactor factor(4);
  try {
    factor.add(Eigen::MatrixXd::Ones(2, 5));
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("X has 5 columns; expected 4"));
  }
}

}  // namespace
}  // namespace dynid
