#include "dynid/consistency/prior.h"

#include "dynid/spatial/pseudo_inertia.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <stdexcept>

namespace dynid {
namespace {

TEST(CapsulePrior, HasTheVolumeAndMiddleOfTheCapsule) {
  const Eigen::Vector3d from(0.1, 0, 0), to(0.1, 0.6, 0);
  const InertialParameters pi = capsulePrior(from, to);
  const double radius = 0.12;  // 0.2 * 0.6
  const double volume = std::numbers::pi * radius * radius * (0.6 + 4.0 / 3.0 * radius);
  EXPECT_NEAR(pi(0), 2000.0 * volume, 1e-9);
  EXPECT_LT((pi.segment<3>(1) / pi(0) - Eigen::Vector3d(0.1, 0.3, 0)).norm(), 1e-12);
}

TEST(CapsulePrior, InertiaAgreesWithAMonteCarloIntegral) {
  const Eigen::Vector3d from(0.05, -0.1, 0.2), to(0.15, 0.2, 0.3);
  const InertialParameters pi = capsulePrior(from, to);
  const double radius = std::max(0.04, 0.2 * (to - from).norm());
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Eigen::Matrix4d P = Eigen::Matrix4d::Zero();
  int inside = 0;
  for (int i = 0; i < 400000; ++i) {
    const Eigen::Vector3d point(uniform(engine), uniform(engine), uniform(engine));
    const Eigen::Vector3d p = 0.5 * (from + to) + 0.4 * point;
    const double along = (p - from).dot(to - from) / (to - from).squaredNorm();
    const Eigen::Vector3d nearest = from + std::clamp(along, 0.0, 1.0) * (to - from);
    if ((p - nearest).norm() > radius) continue;
    const Eigen::Vector4d v(p.x(), p.y(), p.z(), 1.0);
    P += v * v.transpose();
    ++inside;
  }
  const InertialParameters sampled = inertialFromPseudo(P / inside * pi(0));
  EXPECT_LT((sampled - pi).norm(), 0.02 * pi.norm());
}

TEST(CapsulePrior, IsABodyEvenForCoincidingEnds) {
  EXPECT_GT(
      smallestPseudoEigenvalue(capsulePrior(Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero())),
      1e-5);
  EXPECT_GT(smallestPseudoEigenvalue(capsulePrior({0, 0, 0}, {0, 0, 3})), 1e-5);
}

TEST(CapsulePrior, RefusesWhatIsNoPoint) {
  EXPECT_THROW(capsulePrior({0, 0, std::nan("")}, {0, 0, 1}), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
