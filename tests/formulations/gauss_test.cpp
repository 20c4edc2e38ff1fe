#include "dynid/formulations/gauss.h"

#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/hamilton.h"
#include "dynid/formulations/kane.h"
#include "dynid/formulations/newton_euler_lagrange.h"
#include "dynid/formulations/projection_method.h"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

TEST(EquimomentalParticles, HaveTheMomentsOfTheBody) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < 20; ++i) {
    const InertialParameters pi = support::randomBody(rng);
    const Eigen::Matrix<double, 3, 4> places = equimomentalParticles(pi);
    Eigen::Matrix4d P = Eigen::Matrix4d::Zero();
    for (int k = 0; k < 4; ++k) {
      const Eigen::Vector4d r(places(0, k), places(1, k), places(2, k), 1.0);
      P += 0.25 * pi(0) * r * r.transpose();
    }
    EXPECT_LT((P - pseudoInertia(pi)).norm(), 1e-13 * P.norm());
  }
  EXPECT_THROW(equimomentalParticles(-InertialParameters::Ones()), std::invalid_argument);
}

// Gauss: Z is smaller for the true accelerations than for any others that obey the constraint.
TEST(Gauss, ConstraintIsLeast) {
  const Robot robot = randomRobot(4);
  const Eigen::VectorXd pi = priorParameters(robot);
  std::mt19937_64 rng(2);
  const int n = robot.numJoints();
  const Eigen::VectorXd q = support::vectorX(rng, n, 2.0), dq = support::vectorX(rng, n, 2.0);
  const Eigen::VectorXd tau = support::vectorX(rng, n, 20.0);
  const Eigen::RowVectorXd A = support::vectorX(rng, n, 1.0).transpose();
  const Eigen::VectorXd b = Eigen::VectorXd::Constant(1, 0.7);
  const Eigen::VectorXd ddq = gaussAccelerations(robot, pi, q, dq, tau, A, b);
  EXPECT_NEAR(A * ddq, 0.7, 1e-10);
  const Eigen::MatrixXd M = massMatrix(robot, pi, q);
  const Eigen::VectorXd a = M.ldlt().solve(tau - biasForces(robot, pi, q, dq));
  const auto constraint = [&](const Eigen::VectorXd& x) { return 0.5 * (x - a).dot(M * (x - a)); };
  for (int i = 0; i < 20; ++i) {
    Eigen::VectorXd move = support::vectorX(rng, n, 1e-2);
    move -= A.transpose() * (A * move) / A.squaredNorm();
    EXPECT_GT(constraint(ddq + move), constraint(ddq));
  }
}

// Hertz' principle of least curvature: without applied forces the representative point moves at
// constant speed ds/dt = sqrt(2 T), with or without constraints.
TEST(Gauss, WithoutForcesTheSpeedIsConstant) {
  Robot robot = randomRobot(6);
  robot.gravity.setZero();
  const Eigen::VectorXd pi = priorParameters(robot);
  std::mt19937_64 rng(3);
  const int n = robot.numJoints();
  const Eigen::VectorXd q = support::vectorX(rng, n, 2.0);
  Eigen::VectorXd dq = support::vectorX(rng, n, 2.0);
  const Eigen::RowVectorXd A = support::vectorX(rng, n, 1.0).transpose();  // constant, so b = 0
  dq -= A.transpose() * (A * dq) / A.squaredNorm();
  const Eigen::VectorXd ddq =
      gaussAccelerations(robot, pi, q, dq, Eigen::VectorXd::Zero(n), A, Eigen::VectorXd::Zero(1));
  const MassMatrixRate mass = massMatrixAlong(robot, pi, q, dq);
  const double gained = dq.dot(mass.M * ddq), turned = 0.5 * dq.dot(mass.dM * dq);
  EXPECT_NEAR(gained + turned, 0.0, 1e-11 * std::abs(turned));
}

TEST(Kane, ServesQuasiVelocities) {
  const Robot robot = randomRobot(8);
  std::mt19937_64 rng(4);
  const int n = robot.numJoints();
  const Eigen::VectorXd q = support::vectorX(rng, n, 2.0), dq = support::vectorX(rng, n, 2.0);
  const Eigen::VectorXd ddq = support::vectorX(rng, n, 2.0);
  Eigen::MatrixXd N(n, 2);
  N << support::vectorX(rng, n, 1.0), support::vectorX(rng, n, 1.0);
  const Eigen::MatrixXd Y = projectionRegressor(robot, q, dq, ddq);
  EXPECT_LT((kaneRegressor(robot, q, dq, ddq, N) - N.transpose() * Y).norm(), 1e-12 * Y.norm());
  EXPECT_THROW(kaneRegressor(robot, q, dq, ddq, N.topRows(2)), std::invalid_argument);
}

TEST(LinkEffects, AreInertiaCouplingAndGravity) {
  const Robot robot = randomRobot(9);
  const Eigen::VectorXd pi = priorParameters(robot);
  std::mt19937_64 rng(5);
  const int n = robot.numJoints();
  const Eigen::VectorXd q = support::vectorX(rng, n, 2.0), dq = support::vectorX(rng, n, 2.0);
  const Eigen::VectorXd ddq = support::vectorX(rng, n, 5.0), zero = Eigen::VectorXd::Zero(n);
  const LinkEffects effects = linkEffects(robot, q, dq, ddq);
  const Eigen::VectorXd gravity = biasForces(robot, pi, q, zero);
  const Eigen::VectorXd coupling = biasForces(robot, pi, q, dq) - gravity;
  EXPECT_LT((effects.gravity * pi - gravity).norm(), 1e-12 * gravity.norm());
  EXPECT_LT((effects.coupling * pi - coupling).norm(), 1e-12 * coupling.norm());
  const Eigen::VectorXd inertia = massMatrix(robot, pi, q) * ddq;
  EXPECT_LT((effects.inertia * pi - inertia).norm(), 1e-12 * inertia.norm());
}

}  // namespace
}  // namespace dynid
