#include "dynid/dynamics/mass_matrix.h"

#include "dynid/dynamics/inverse_dynamics.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace dynid {
namespace {

Robot coupledRobot(std::uint64_t seed) {
  RandomRobotOptions options;
  options.joints = 6;
  options.coupling = 0.5;
  return randomRobot(seed, options);
}

TEST(MassMatrix, ColumnsAreInverseDynamicsOfUnitAccelerations) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Robot robot = coupledRobot(seed);
    const Eigen::VectorXd pi = priorParameters(robot);
    std::mt19937_64 rng(seed);
    const Eigen::VectorXd q = support::vectorX(rng, 6, 3.0), zero = Eigen::VectorXd::Zero(6);
    const Eigen::MatrixXd M = massMatrix(robot, pi, q);
    robot.gravity.setZero();
    for (int j = 0; j < 6; ++j) {
      const Eigen::VectorXd column =
          inverseDynamics(robot, pi, q, zero, Eigen::VectorXd::Unit(6, j));
      EXPECT_LT((M.col(j) - column).norm(), 1e-12 * M.norm()) << "seed " << seed;
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(M);
    EXPECT_GT(eigen.eigenvalues()(0), 0.0) << "seed " << seed;
  }
}

TEST(ForwardDynamics, UndoesInverseDynamicsWithDrives) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Robot robot = coupledRobot(seed);
    const Eigen::VectorXd pi = priorParameters(robot);
    std::mt19937_64 rng(seed);
    const Eigen::VectorXd q = support::vectorX(rng, 6, 3.0), dq = support::vectorX(rng, 6, 2.0);
    const Eigen::VectorXd ddq = support::vectorX(rng, 6, 5.0);
    const Eigen::VectorXd drives = support::vectorX(rng, 6, 1.0).cwiseAbs();
    const Eigen::MatrixXd from_joints = robot.T.inverse();
    const Eigen::VectorXd tau = inverseDynamics(robot, pi, q, dq, ddq) +
                                from_joints.transpose() * drives.cwiseProduct(from_joints * ddq);
    const ForwardDynamics forward = forwardDynamics(robot, pi, drives, q, dq, tau);
    ASSERT_TRUE(forward.solved) << forward.reason;
    EXPECT_LT((forward.ddq - ddq).norm(), 1e-9 * ddq.norm()) << "seed " << seed;
  }
}

TEST(ForwardDynamics, SaysThatImpossibleParametersHaveNoMotion) {
  const Robot robot = coupledRobot(1);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(6);
  const ForwardDynamics forward =
      forwardDynamics(robot, -priorParameters(robot), {}, zero, zero, zero);
  EXPECT_FALSE(forward.solved);
  EXPECT_TRUE(forward.ddq.array().isNaN().all());
  EXPECT_NE(forward.reason.find("not positive definite"), std::string::npos);
}

TEST(ForwardDynamics, NumbersThatAreNotFiniteAreNotSolved) {
  const Robot robot = coupledRobot(1);
  const Eigen::VectorXd pi = priorParameters(robot), zero = Eigen::VectorXd::Zero(6);
  ASSERT_TRUE(forwardDynamics(robot, pi, {}, zero, zero, zero).solved);
  for (int argument = 0; argument < 4; ++argument)
    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
      std::vector<Eigen::VectorXd> given = {pi, zero, zero, zero};
      given[argument](2) = value;
      const ForwardDynamics forward =
          forwardDynamics(robot, given[0], {}, given[1], given[2], given[3]);
      EXPECT_FALSE(forward.solved) << argument;
      EXPECT_TRUE(forward.ddq.array().isNaN().all()) << argument;
      EXPECT_NE(forward.reason.find("not finite"), std::string::npos) << forward.reason;
    }
}

TEST(MassMatrix, WrongSizesAreRefused) {
  const Robot robot = coupledRobot(1);
  const Eigen::VectorXd pi = priorParameters(robot), right = Eigen::VectorXd::Zero(6);
  for (const int size : {0, 5, 7}) {
    const Eigen::VectorXd wrong = Eigen::VectorXd::Zero(size);
    EXPECT_THROW(bodyJacobians(robot, wrong), std::invalid_argument);
    EXPECT_THROW(massMatrix(robot, pi, wrong), std::invalid_argument);
    EXPECT_THROW(energy(robot, pi, {}, wrong, right), std::invalid_argument);
    EXPECT_THROW(energy(robot, pi, {}, right, wrong), std::invalid_argument);
    EXPECT_THROW(energy(robot, wrong, {}, right, right), std::invalid_argument);
    EXPECT_THROW(forwardDynamics(robot, pi, {}, right, right, wrong), std::invalid_argument);
    EXPECT_THROW(forwardDynamics(robot, pi, {}, right, wrong, right), std::invalid_argument);
    EXPECT_THROW(forwardDynamics(robot, pi, {}, wrong, right, right), std::invalid_argument);
  }
}

TEST(Energy, ChangesByThePowerOfTheJoints) {
  // dE/dt = dq . tau for every tree, including prismatic and mimic joints: M' - 2 C does no work.
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Robot robot = coupledRobot(seed);
    const Eigen::VectorXd pi = priorParameters(robot);
    std::mt19937_64 rng(seed);
    const Eigen::VectorXd q = support::vectorX(rng, 6, 3.0), dq = support::vectorX(rng, 6, 1.0);
    const Eigen::VectorXd ddq = support::vectorX(rng, 6, 2.0);
    const Eigen::VectorXd drives = support::vectorX(rng, 6, 1.0).cwiseAbs();
    const auto total = [&](double t) {
      return energy(robot, pi, drives, q + dq * t + 0.5 * ddq * t * t, dq + ddq * t).total();
    };
    const double h = 1e-3;
    const double rate =
        (8.0 * (total(h) - total(-h)) - (total(2 * h) - total(-2 * h))) / (12.0 * h);
    const Eigen::MatrixXd from_joints = robot.T.inverse();
    const Eigen::VectorXd tau = inverseDynamics(robot, pi, q, dq, ddq) +
                                from_joints.transpose() * drives.cwiseProduct(from_joints * ddq);
    EXPECT_NEAR(rate, dq.dot(tau), 1e-7 * (std::abs(rate) + tau.norm())) << "seed " << seed;
  }
}

TEST(Energy, DerivativeOfMassMatrixMinusTwiceCoriolisDoesNoWork) {
  // dq^T (M' dq - 2 c(q, dq)) = 0 with the Coriolis and centrifugal efforts c.
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Robot robot = coupledRobot(seed);
    robot.gravity.setZero();
    const Eigen::VectorXd pi = priorParameters(robot);
    std::mt19937_64 rng(seed);
    const Eigen::VectorXd q = support::vectorX(rng, 6, 3.0), dq = support::vectorX(rng, 6, 1.0);
    const auto M = [&](double t) { return massMatrix(robot, pi, q + dq * t); };
    const double h = 1e-3;
    const Eigen::MatrixXd rate = (8.0 * (M(h) - M(-h)) - (M(2 * h) - M(-2 * h))) / (12.0 * h);
    const Eigen::VectorXd c = biasForces(robot, pi, q, dq);
    EXPECT_NEAR(dq.dot(rate * dq - 2.0 * c), 0.0, 1e-7 * (c.norm() * dq.norm() + 1.0))
        << "seed " << seed;
  }
}

TEST(ActuatorMassMatrix, GearedPendulumInClosedForm) {
  // (Il + m d^2 + n^2 Im) ddq + m g d sin q = n tau_m: motor side divides by n, inertia by n^2.
  const double m = 2.0, d = 0.3, inertia = 0.04, motor = 1e-4, n = 50.0, g = 9.81;
  ChainJoint joint;
  joint.axis = -Eigen::Vector3d::UnitZ();
  Robot robot = chainRobot({joint}, {0.0, -g, 0.0});
  robot.T(0, 0) = 1.0 / n;  // q = q_motor / n
  Eigen::VectorXd pi(10);
  pi << inertialFromCenterOfMass(m, {0.0, -d, 0.0}, inertia * Eigen::Matrix3d::Identity());
  const Eigen::VectorXd q = Eigen::VectorXd::Constant(1, 0.8),
                        dq = Eigen::VectorXd::Constant(1, 1.5);
  const Eigen::VectorXd drive = Eigen::VectorXd::Constant(1, motor);
  const double at_joint = inertia + m * d * d + n * n * motor;
  EXPECT_NEAR(actuatorMassMatrix(robot, pi, drive, q)(0, 0), at_joint / (n * n), 1e-15);
  const double tau = 3.0;
  const ForwardDynamics forward =
      forwardDynamics(robot, pi, drive, q, dq, Eigen::VectorXd::Constant(1, tau));
  ASSERT_TRUE(forward.solved);
  EXPECT_NEAR(forward.ddq(0), (tau - m * g * d * std::sin(0.8)) / at_joint, 1e-12);
  const Energy e = energy(robot, pi, drive, q, dq);
  EXPECT_NEAR(e.kinetic, 0.5 * at_joint * 1.5 * 1.5, 1e-12);
  EXPECT_NEAR(e.potential, -m * g * d * std::cos(0.8), 1e-12);
}

}  // namespace
}  // namespace dynid
