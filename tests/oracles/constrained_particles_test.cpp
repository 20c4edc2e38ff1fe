// A particle on a slope and one in a bowl: multipliers, and a constraint that does no work.
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/augmented.h"
#include "dynid/formulations/direct.h"
#include "dynid/formulations/embedded.h"
#include "dynid/formulations/maggi.h"
#include "dynid/formulations/projected.h"
#include "dynid/formulations/udwadia_kalaba.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

constexpr double kMass = 0.8, kG = 9.81;

/// M and bias of a particle with the coordinates x, y, z, from the library.
ConstrainedSystem particle(const Eigen::Vector3d& q, const Eigen::Vector3d& dq) {
  std::vector<ChainJoint> chain(3);
  for (int i = 0; i < 3; ++i) {
    chain[i].prismatic = true;
    chain[i].axis = Eigen::Vector3d::Unit(i);
  }
  const Robot robot = chainRobot(chain, {0.0, 0.0, -kG});
  Eigen::VectorXd pi = Eigen::VectorXd::Zero(30);
  pi(20) = kMass;
  return {massMatrix(robot, pi, q), biasForces(robot, pi, q, dq), Eigen::Vector3d::Zero(), {}, {}};
}

constexpr auto kSolvers = {augmented, direct, projected, embedded, udwadiaKalaba, maggi};

// q1 = q2: m ddq1 = F, m ddq2 = -F, m ddq3 + m g = 0; pushed by P along x, F = -P/2.
TEST(ParticleOnASlope, MultiplierHoldsItThere) {
  const double push = 3.0;
  ConstrainedSystem system = particle({0.2, 0.2, 1.0}, {0.7, 0.7, -0.1});
  system.tau = Eigen::Vector3d(push, 0.0, 0.0);
  system.A = Eigen::RowVector3d(1.0, -1.0, 0.0);
  system.b = Eigen::VectorXd::Zero(1);
  for (const auto solve : kSolvers) {
    const ConstrainedMotion motion = solve(system);
    ASSERT_TRUE(motion.solved);
    EXPECT_NEAR(motion.lambda(0), -push / 2, 1e-12);
    EXPECT_LT((motion.ddq - Eigen::Vector3d(push / 2 / kMass, push / 2 / kMass, -kG)).norm(),
              1e-12);
    EXPECT_NEAR(
        (system.A.transpose() * motion.lambda).dot(Eigen::Vector3d(0.7, 0.7, -0.1)), 0.0, 1e-12);
  }
}

// q.q = 1: A = 2 q^T, b = -2 dq.dq; by hand lambda = m (g q3 - dq.dq)/2.
TEST(ParticleInABowl, MultiplierIsThatOfTheSphere) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 10; ++i) {
    const Eigen::Vector3d q = support::vector(rng, 1.0).normalized();
    Eigen::Vector3d dq = support::vector(rng, 3.0);
    dq -= q * q.dot(dq);
    ConstrainedSystem system = particle(q, dq);
    system.A = 2.0 * q.transpose();
    system.b = Eigen::VectorXd::Constant(1, -2.0 * dq.squaredNorm());
    const double lambda = 0.5 * kMass * (kG * q.z() - dq.squaredNorm());
    const Eigen::Vector3d ddq = 2.0 * lambda / kMass * q - Eigen::Vector3d(0.0, 0.0, kG);
    for (const auto solve : kSolvers) {
      const ConstrainedMotion motion = solve(system);
      ASSERT_TRUE(motion.solved);
      EXPECT_NEAR(motion.lambda(0), lambda, 1e-11);
      EXPECT_LT((motion.ddq - ddq).norm(), 1e-11);
      EXPECT_NEAR((system.A.transpose() * motion.lambda).dot(dq), 0.0, 1e-11);
    }
  }
}

}  // namespace
}  // namespace dynid
