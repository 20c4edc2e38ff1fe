#include "dynid/dynamics/inverse_dynamics.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>

namespace dynid {
namespace {

constexpr double kGravity = 9.81;

// A uniform thin rod of mass M and length l along x from the origin.
InertialParameters rodAlongX(double M, double l) {
  const double about_center = M * l * l / 12.0;
  return inertialFromCenterOfMass(
      M, {l / 2, 0.0, 0.0}, Eigen::Vector3d(0.0, about_center, about_center).asDiagonal());
}

TEST(InverseDynamics, PlanarTwoLinkOfUniformRodsInClosedForm) {
  const double M = 1.7, l = 0.6;
  ChainJoint second;
  second.X_PJ.p = {l, 0.0, 0.0};
  const Robot robot = chainRobot({ChainJoint{}, second}, {0.0, -kGravity, 0.0});
  Eigen::VectorXd pi(20);
  pi << rodAlongX(M, l), rodAlongX(M, l);
  std::mt19937_64 rng(1);
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd q = support::vectorX(rng, 2, 3.0), dq = support::vectorX(rng, 2, 2.0);
    const Eigen::VectorXd ddq = support::vectorX(rng, 2, 5.0);
    const double c1 = std::cos(q(0)), c2 = std::cos(q(1)), s2 = std::sin(q(1));
    const double c12 = std::cos(q(0) + q(1)), ml2 = M * l * l, mgl = M * kGravity * l;
    // Dynamic equations of two equal rods (Negrean et al. 2024), eqs. 117, 121, 140, 141, with the
    // factor 1/2 that eqs. 125 and 129 omit.
    const double tau1 = (5.0 / 3.0 + c2) * ml2 * ddq(0) + (1.0 / 3.0 + c2 / 2) * ml2 * ddq(1) -
                        ml2 * s2 * (dq(0) * dq(1) + dq(1) * dq(1) / 2) +
                        mgl * (1.5 * c1 + 0.5 * c12);
    const double tau2 = (1.0 / 3.0 + c2 / 2) * ml2 * ddq(0) + ml2 / 3.0 * ddq(1) +
                        0.5 * ml2 * s2 * dq(0) * dq(0) + 0.5 * mgl * c12;
    const Eigen::VectorXd tau = inverseDynamics(robot, pi, q, dq, ddq);
    EXPECT_NEAR(tau(0), tau1, 1e-12 * (1.0 + std::abs(tau1)));
    EXPECT_NEAR(tau(1), tau2, 1e-12 * (1.0 + std::abs(tau2)));
  }
}

TEST(InverseDynamics, PrismaticRevoluteInClosedForm) {
  // De Luca's PR robot in the horizontal plane: a prismatic joint along x, then a link turning
  // about z whose centre of mass is at distance d.
  const double m1 = 2.0, m2 = 1.3, d = 0.4, I2 = 0.07;
  ChainJoint slide;
  slide.axis = Eigen::Vector3d::UnitX();
  slide.prismatic = true;
  const Robot robot = chainRobot({slide, ChainJoint{}}, {0.0, 0.0, -kGravity});
  Eigen::VectorXd pi(20);
  pi << inertialFromCenterOfMass(m1, {0.1, 0.2, 0.3}, Eigen::Matrix3d::Identity()),
      inertialFromCenterOfMass(m2, {d, 0.0, 0.0}, Eigen::Vector3d(0.01, 0.02, I2).asDiagonal());
  std::mt19937_64 rng(2);
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd q = support::vectorX(rng, 2, 3.0), dq = support::vectorX(rng, 2, 2.0);
    const Eigen::VectorXd ddq = support::vectorX(rng, 2, 5.0);
    const double s2 = std::sin(q(1)), c2 = std::cos(q(1));
    const Eigen::Matrix2d B{{m1 + m2, -m2 * d * s2}, {-m2 * d * s2, I2 + m2 * d * d}};
    const Eigen::Vector2d expected = B * ddq + Eigen::Vector2d(-m2 * d * c2 * dq(1) * dq(1), 0.0);
    const Eigen::VectorXd tau = inverseDynamics(robot, pi, q, dq, ddq);
    EXPECT_LT((tau - expected).norm(), 1e-12 * (1.0 + expected.norm()));
  }
}

TEST(InverseDynamics, IsLinearInTheParameters) {
  const Robot robot = randomRobot(11);
  std::mt19937_64 rng(3);
  const int n = robot.numJoints(), p = 10 * robot.numBodies();
  const Eigen::VectorXd q = support::vectorX(rng, n, 2.0), dq = support::vectorX(rng, n, 2.0);
  const Eigen::VectorXd ddq = support::vectorX(rng, n, 2.0);
  const Eigen::VectorXd a = support::vectorX(rng, p, 1.0), b = support::vectorX(rng, p, 1.0);
  const Eigen::VectorXd sum = inverseDynamics(robot, a + 2.0 * b, q, dq, ddq);
  const Eigen::VectorXd parts =
      inverseDynamics(robot, a, q, dq, ddq) + 2.0 * inverseDynamics(robot, b, q, dq, ddq);
  EXPECT_LT((sum - parts).norm(), 1e-12 * sum.norm());
}

TEST(InverseDynamics, SaysWhichVectorHasTheWrongSize) {
  const Robot robot = randomRobot(1);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(7);
  try {
    inverseDynamics(robot, priorParameters(robot), zero, Eigen::VectorXd::Zero(6), zero);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "dq has 6 entries; expected 7");
  }
}

}  // namespace
}  // namespace dynid
