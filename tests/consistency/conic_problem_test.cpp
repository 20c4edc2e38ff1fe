#include "dynid/consistency/conic_problem.h"

#include "dynid/consistency/cone_scaling.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <gtest/gtest.h>

namespace dynid {
namespace {

TEST(ConicProblem, CongruenceIsTheMapOfSymmetricMatrices) {
  std::srand(3);
  const Eigen::Matrix4d G = Eigen::Matrix4d::Random();
  const Eigen::Matrix4d B = Eigen::Matrix4d::Random();
  const Eigen::Matrix4d Q = B + B.transpose();
  EXPECT_LT((congruence(G) * svec(Q) - svec(G * Q * G.transpose())).norm(), 1e-13);
}

TEST(ConicProblem, SmallestEigenvalueSeesBlocksAndScalars) {
  Eigen::VectorXd x = coneIdentity(2, 2);
  EXPECT_DOUBLE_EQ(smallestConeEigenvalue(x, 2, 2), 1.0);
  x(21) = -0.5;
  EXPECT_DOUBLE_EQ(smallestConeEigenvalue(x, 2, 2), -0.5);
  x.segment<10>(10) = svec(Eigen::Vector4d(3, -2, 1, 1).asDiagonal());
  EXPECT_DOUBLE_EQ(smallestConeEigenvalue(x, 2, 2), -2.0);
}

TEST(ConeScaling, AdvancesPrimalAndDualTogether) {
  std::srand(4);
  ConeScaling scaling(2, 3, 2.0, 0.5);
  for (int step = 0; step < 6; ++step) {
    const Eigen::VectorXd dx = Eigen::VectorXd::Random(23), dw = Eigen::VectorXd::Random(23);
    const double alpha =
        0.8 * std::min({1.0, scaling.lengthToBoundary(dx), scaling.lengthToBoundary(dw)});
    const Eigen::VectorXd x = scaling.primal() + alpha * scaling.fromScaled(dx);
    // w changes by Theta^T dw; checked by inner products with test vectors: <w, v> = <scaled w,
    // Theta v>.
    const Eigen::VectorXd v = Eigen::VectorXd::Random(23);
    const double pairing = scaling.dual().dot(scaling.fromScaled(v)) + alpha * dw.dot(v);
    const Eigen::VectorXd v_unscaled = scaling.fromScaled(v);
    ASSERT_TRUE(scaling.advance(alpha, dx, dw));
    EXPECT_LT((scaling.primal() - x).norm(), 1e-11 * x.norm());
    EXPECT_NEAR(scaling.dual().dot(v_unscaled), pairing, 1e-10 * (1.0 + std::abs(pairing)));
    EXPECT_GT(smallestConeEigenvalue(scaling.primal(), 2, 3), 0.0);
    EXPECT_GT(smallestConeEigenvalue(scaling.dual(), 2, 3), 0.0);
    EXPECT_NEAR(scaling.complementarity(), scaling.primal().dot(scaling.dual()), 1e-10);
    EXPECT_LT((scaling.toScaledDual(scaling.dual()) - scaling.point()).norm(), 1e-10);
  }
}

TEST(ConeScaling, LengthToBoundaryIsWhereAnEigenvalueVanishes) {
  const ConeScaling scaling(1, 1, 1.0, 1.0);
  Eigen::VectorXd step = Eigen::VectorXd::Zero(11);
  step.head<10>() = svec(Eigen::Vector4d(1, -0.5, 0, -2).asDiagonal());
  EXPECT_NEAR(scaling.lengthToBoundary(step), 0.5, 1e-14);
  step.head<10>().setZero();
  EXPECT_TRUE(std::isinf(scaling.lengthToBoundary(step)));
  step(10) = -4.0;
  EXPECT_NEAR(scaling.lengthToBoundary(step), 0.25, 1e-14);
}

}  // namespace
}  // namespace dynid
