#include "dynid/math/solve_at_rank.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(SolveAtRank, IsLeastSquaresWithIndependentColumns) {
  const MatrixXd A = MatrixXd::Random(7, 4);
  const VectorXd b = VectorXd::Random(7);
  const VectorXd x = solveAtRank(Eigen::ColPivHouseholderQR<MatrixXd>(A), b);
  EXPECT_LT((A.transpose() * (A * x - b)).norm(), 1e-12);
}

// A column of rounding errors has no variable. Dividing by its pivot would give 1e300 and more.
TEST(SolveAtRank, LeavesColumnsBelowTheThresholdOut) {
  MatrixXd A = MatrixXd::Random(7, 3);
  A.col(1) *= 1e-300;
  const VectorXd b = VectorXd::Random(7);
  Eigen::ColPivHouseholderQR<MatrixXd> qr;
  qr.setThreshold(1e-11);
  qr.compute(A);
  const VectorXd x = solveAtRank(qr, b);
  EXPECT_EQ(x(1), 0.0);
  EXPECT_LT(x.norm(), 1e3);
  EXPECT_LT((A.transpose() * (A * x - b)).norm(), 1e-12);
}

}  // namespace
}  // namespace dynid
