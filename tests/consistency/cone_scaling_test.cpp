#include "dynid/consistency/cone_scaling.h"

#include "dynid/spatial/pseudo_inertia.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace dynid {
namespace {

constexpr int kScaledBodies = 3, kScaledScalars = 2;

// A pair that is not central.
ConeScaling pairInCone() {
  ConeScaling scaling(kScaledBodies, kScaledScalars, 1.0, 0.5);
  const Eigen::VectorXd dx = 0.2 * Eigen::VectorXd::Random(scaling.size());
  const Eigen::VectorXd dw = 0.2 * Eigen::VectorXd::Random(scaling.size());
  EXPECT_TRUE(scaling.advance(1.0, dx, dw));
  return scaling;
}

Eigen::Matrix4d blockOf(const Eigen::VectorXd& x, int body) {
  return smat(x.segment<10>(10 * body));
}

Eigen::Matrix4d symmetricPart(const Eigen::Matrix4d& M) { return 0.5 * (M + M.transpose()); }

// The Lyapunov equations by which centering() and secondOrder() are defined.
TEST(ConeScaling, CenteringAndSecondOrderTermSolveTheirEquations) {
  std::srand(3);
  const ConeScaling scaling = pairInCone();
  const Eigen::VectorXd dx = Eigen::VectorXd::Random(scaling.size());
  const Eigen::VectorXd dw = Eigen::VectorXd::Random(scaling.size());
  const Eigen::VectorXd point = scaling.point();
  const Eigen::VectorXd target = scaling.centering(0.3, 0.7);
  const Eigen::VectorXd second = scaling.secondOrder(dx, dw);
  for (int k = 0; k < kScaledBodies; ++k) {
    const Eigen::Matrix4d L = blockOf(point, k);
    EXPECT_LT((symmetricPart(L * blockOf(target, k)) - 0.3 * Eigen::Matrix4d::Identity()).norm(),
              1e-13);
    const Eigen::Matrix4d product = symmetricPart(blockOf(dx, k) * blockOf(dw, k));
    EXPECT_LT((symmetricPart(L * blockOf(second, k)) - product).norm(), 1e-13);
  }
  for (Eigen::Index j = scaling.size() - kScaledScalars; j < scaling.size(); ++j) {
    EXPECT_NEAR(point(j) * target(j), 0.7, 1e-14);
    EXPECT_NEAR(point(j) * second(j), dx(j) * dw(j), 1e-14);
  }
}

// A step changes the complementarity of x and w by the squares of its length that the second-order
// term states.
TEST(ConeScaling, AStepThatIsCorrectedComesNearerToTheTarget) {
  std::srand(4);
  const ConeScaling scaling = pairInCone();
  const auto distance_after = [&](const Eigen::VectorXd& target) {
    const Eigen::VectorXd dx = 0.5 * (target - scaling.point());
    const Eigen::VectorXd dw = target - scaling.point() - dx;
    ConeScaling moved = scaling;
    EXPECT_TRUE(moved.advance(1.0, dx, dw));
    return (moved.point().cwiseAbs2() - 0.5 * coneIdentity(kScaledBodies, kScaledScalars)).norm();
  };
  const Eigen::VectorXd target = scaling.centering(0.5, 0.5);
  const Eigen::VectorXd half = 0.5 * (target - scaling.point());
  const double plain = distance_after(target);
  const double corrected = distance_after(target - scaling.secondOrder(half, half));
  EXPECT_GT(plain, 1e-4);
  EXPECT_LT(corrected, 0.3 * plain);
}

}  // namespace
}  // namespace dynid
