#include "dynid/formulations/energies.h"

#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/central_equation.h"
#include "dynid/formulations/hamilton.h"
#include "dynid/formulations/hamilton_principle.h"
#include "dynid/formulations/higher_order_acceleration_energy.h"
#include "dynid/formulations/huygens.h"
#include "dynid/formulations/projection_method.h"
#include "dynid/formulations/routh.h"

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "support/random_robot.h"

namespace dynid {
namespace {

struct Motion {
  Robot robot;
  Eigen::VectorXd pi, q, dq, ddq;
};
Motion motion(std::uint64_t seed, int joints = 5) {
  RandomRobotOptions options;
  options.joints = joints;
  const Robot robot = randomRobot(seed, options);
  std::mt19937_64 rng(seed);
  return {robot,
          priorParameters(robot),
          support::vectorX(rng, joints, 2.0),
          support::vectorX(rng, joints, 2.0),
          support::vectorX(rng, joints, 5.0)};
}

TEST(EnergyRow, IsTheEnergyOfTheMassMatrix) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Motion m = motion(seed);
    const EnergyRows<double> rows = energyRows<double>(m.robot, m.q, m.dq);
    const Energy expected = energy(m.robot, m.pi, Eigen::VectorXd(), m.q, m.dq);
    EXPECT_NEAR(rows.kinetic * m.pi, expected.kinetic, 1e-12 * expected.kinetic);
    EXPECT_NEAR(rows.potential * m.pi, expected.potential, 1e-10);
    EXPECT_NEAR(energyRow(m.robot, m.q, m.dq) * m.pi, expected.total(), 1e-10);
  }
}

TEST(MassMatrixAlong, AgreesWithTheJacobiansAndADifferenceQuotient) {
  const Motion m = motion(4);
  const MassMatrixRate mass = massMatrixAlong(m.robot, m.pi, m.q, m.dq);
  EXPECT_LT((mass.M - massMatrix(m.robot, m.pi, m.q)).norm(), 1e-12 * mass.M.norm());
  const double step = 1e-5;
  const Eigen::MatrixXd ahead = massMatrix(m.robot, m.pi, m.q + step * m.dq);
  const Eigen::MatrixXd behind = massMatrix(m.robot, m.pi, m.q - step * m.dq);
  EXPECT_LT((mass.dM - (ahead - behind) / (2 * step)).norm(), 1e-7 * mass.dM.norm());
}

// The Hamiltonian by its definition: H = 1/2 p.M^-1 p + V.
double hamiltonFunction(const Motion& m, const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  const Eigen::VectorXd dq = massMatrix(m.robot, m.pi, q).ldlt().solve(p);
  return 0.5 * p.dot(dq) + energy(m.robot, m.pi, Eigen::VectorXd(), q, dq).potential;
}

TEST(Hamilton, GradientsAreThoseOfHamiltonsFunction) {
  const Motion m = motion(6);
  const Eigen::VectorXd p = momentumRows(m.robot, m.q, m.dq) * m.pi;
  const Eigen::VectorXd gradient = lagrangianGradientRows(m.robot, m.q, m.dq) * m.pi;
  const double step = 1e-5;
  for (int j = 0; j < 5; ++j) {
    const Eigen::VectorXd move = step * Eigen::VectorXd::Unit(5, j);
    const double by_p =
        (hamiltonFunction(m, m.q, p + move) - hamiltonFunction(m, m.q, p - move)) / (2 * step);
    const double by_q =
        (hamiltonFunction(m, m.q + move, p) - hamiltonFunction(m, m.q - move, p)) / (2 * step);
    EXPECT_NEAR(by_p, m.dq(j), 1e-7);
    EXPECT_NEAR(-by_q, gradient(j), 1e-6 * (1.0 + gradient.norm()));
  }
}

TEST(Routh, AnyChoiceOfMomentumJointsGivesTheSameMotion) {
  const Motion m = motion(7, 4);
  const Eigen::VectorXd tau = projectionRegressor(m.robot, m.q, m.dq, m.ddq) * m.pi;
  for (unsigned choice = 0; choice < 16; ++choice) {
    std::vector<bool> momentum;
    for (unsigned j = 0; j < 4; ++j) momentum.push_back((choice >> j & 1U) != 0);
    const Eigen::VectorXd ddq = routhAccelerations(m.robot, m.pi, m.q, m.dq, tau, momentum);
    EXPECT_LT((ddq - m.ddq).norm(), 1e-9) << choice;
  }
  EXPECT_THROW(routhAccelerations(m.robot, m.pi, m.q, m.dq, tau, {true}), std::invalid_argument);
}

TEST(HamiltonsPrinciple, IsOfSecondOrder) {
  const Motion m = motion(8, 3);
  const Eigen::MatrixXd exact = projectionRegressor(m.robot, m.q, m.dq, m.ddq);
  const auto error = [&](double h) {
    const Eigen::VectorXd bend = 0.5 * h * h * m.ddq;
    const Eigen::MatrixXd rows =
        discreteEulerLagrangeRows(m.robot, m.q - h * m.dq + bend, m.q, m.q + h * m.dq + bend, h);
    return (rows - exact).norm();
  };
  for (double h : {0.02, 0.01, 0.005}) EXPECT_NEAR(std::log2(error(h) / error(h / 2)), 2.0, 0.02);
  try {
    discreteEulerLagrangeRows(m.robot, m.q, m.q, m.q, 0.0);
    FAIL();
  } catch (const std::invalid_argument& problem) {
    EXPECT_STREQ(problem.what(), "the step is 0.000000 s; expected a positive one");
  }
}

TEST(HigherOrderAccelerationEnergy, DoesNotDependOnTheJerk) {
  const Motion m = motion(9);
  std::mt19937_64 rng(1);
  const Eigen::MatrixXd still =
      higherOrderRegressor(m.robot, m.q, m.dq, m.ddq, Eigen::VectorXd::Zero(5));
  const Eigen::MatrixXd jerked =
      higherOrderRegressor(m.robot, m.q, m.dq, m.ddq, support::vectorX(rng, 5, 100.0));
  EXPECT_LT((still - jerked).norm(), 1e-12 * still.norm());
}

TEST(CentralEquation, HoldsForEveryVariation) {
  const Motion m = motion(10);
  const Eigen::MatrixXd Y = projectionRegressor(m.robot, m.q, m.dq, m.ddq);
  std::mt19937_64 rng(2);
  for (int i = 0; i < 5; ++i) {
    const Eigen::VectorXd eta = support::vectorX(rng, 5, 1.0), deta = support::vectorX(rng, 5, 9.0);
    const Eigen::RowVectorXd row = centralEquationRow(m.robot, m.q, m.dq, m.ddq, eta, deta);
    EXPECT_LT((row - eta.transpose() * Y).norm(), 1e-11 * Y.norm());
  }
}

}  // namespace
}  // namespace dynid
