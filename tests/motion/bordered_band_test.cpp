#include "dynid/motion/bordered_band.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include <random>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(BorderedBand, SolvesAsTheDenseEquationsDo) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  constexpr Index kSize = 30, kWidth = 6, kBorder = 3;
  BorderedBand equations(kSize, kWidth - 1, kBorder);
  MatrixXd dense = MatrixXd::Zero(kSize + kBorder, kSize + kBorder);
  VectorXd gradient = VectorXd::Zero(kSize + kBorder);
  for (Index first = 0; first + kWidth <= kSize; ++first) {
    const MatrixXd J =
        MatrixXd::NullaryExpr(5, kWidth + kBorder, [&] { return normal(generator); });
    const VectorXd r = VectorXd::NullaryExpr(5, [&] { return normal(generator); });
    equations.add(first, J, r);
    MatrixXd whole = MatrixXd::Zero(5, kSize + kBorder);
    whole.middleCols(first, kWidth) = J.leftCols(kWidth);
    whole.rightCols(kBorder) = J.rightCols(kBorder);
    dense += whole.transpose() * whole;
    gradient += whole.transpose() * r;
  }
  equations.addToBand(7, 5, 0.1);
  dense(7, 5) += 0.1;
  dense(5, 7) += 0.1;
  equations.addToGradient(2, 0.3);
  gradient(2) += 0.3;
  ASSERT_TRUE(equations.factor());
  EXPECT_LT((equations.gradient() - gradient).norm(), 1e-12);
  const VectorXd exact = dense.ldlt().solve(gradient);
  EXPECT_LT((equations.solve(gradient) - exact).norm(), 1e-8 * exact.norm());
  const MatrixXd inverse = dense.inverse();
  const MatrixXd corner = inverse.bottomRightCorner(kBorder, kBorder);
  EXPECT_LT((equations.borderCovariance() - corner).norm(), 1e-8 * corner.norm());
}

TEST(BorderedBand, IndefiniteEquationsAreSaid) {
  BorderedBand equations(4, 1, 1);
  for (Index k = 0; k < 4; ++k) equations.addToBand(k, k, -1.0);
  EXPECT_FALSE(equations.factor());
}

}  // namespace
}  // namespace dynid
