#include "dynid/diagnosis/nonnegative_fit.h"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include <random>

namespace dynid {
namespace {

Eigen::MatrixXd randomMatrix(std::mt19937_64& random, Eigen::Index rows, Eigen::Index columns) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd matrix(rows, columns);
  for (double& value : matrix.reshaped()) value = normal(random);
  return matrix;
}

/// Karush-Kuhn-Tucker conditions: C x >= 0, A x - b = C^T lambda, lambda >= 0, lambda C x = 0.
TEST(NonnegativeFit, MeetsTheConditionsOfTheMinimum) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    const Eigen::MatrixXd J = randomMatrix(random, 20, 8);
    const Eigen::MatrixXd A = J.transpose() * J;
    const Eigen::VectorXd b = randomMatrix(random, 8, 1);
    Eigen::MatrixXd C = randomMatrix(random, 6, 8);
    C.rowwise().normalize();
    const Eigen::VectorXd x = nonnegativeFit(A, b, C);
    const Eigen::VectorXd slack = C * x;
    EXPECT_GT(slack.minCoeff(), -1e-6);
    const Eigen::VectorXd gradient = A * x - b;
    const Eigen::VectorXd lambda = (C * C.transpose()).llt().solve(C * gradient);
    EXPECT_LT((C.transpose() * lambda - gradient).norm(), 1e-6 * (1.0 + gradient.norm()));
    EXPECT_GT(lambda.minCoeff(), -1e-6);
    EXPECT_LT(std::abs(lambda.dot(slack)), 1e-6);
  }
}

TEST(NonnegativeFit, WithoutConstraintsItIsLeastSquares) {
  std::mt19937_64 random(3);
  const Eigen::MatrixXd J = randomMatrix(random, 20, 5);
  const Eigen::MatrixXd A = J.transpose() * J;
  const Eigen::VectorXd b = randomMatrix(random, 5, 1);
  const Eigen::VectorXd x = nonnegativeFit(A, b, Eigen::MatrixXd(0, 5));
  EXPECT_LT((A * x - b).norm(), 1e-12);
}

}  // namespace
}  // namespace dynid
