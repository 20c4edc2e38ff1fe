#include "dynid/formulations/variational_integrator.h"

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/hamilton_principle.h"
#include "dynid/formulations/huygens.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <algorithm>

namespace dynid {
namespace {

struct Pendulums {
  Robot robot;
  Eigen::VectorXd pi;
  Eigen::VectorXd q0, dq0, none;
  Pendulums() {
    RandomRobotOptions options;
    options.joints = 3;
    options.prismatic = 0.0;
    robot = randomRobot(12, options);
    pi = priorParameters(robot);
    q0 = Eigen::Vector3d(0.5, -0.3, 0.8);
    dq0 = Eigen::Vector3d(0.2, 0.4, -0.3);
    none = Eigen::Vector3d::Zero();
  }
  // Energies at the midpoints of the steps.
  std::vector<double> energies(double h, int steps) const {
    Eigen::VectorXd before = q0, now = variationalStart(robot, pi, q0, dq0, none, h).q;
    std::vector<double> result;
    for (int i = 0; i < steps; ++i) {
      result.push_back(energyRow(robot, 0.5 * (before + now), (now - before) / h) * pi);
      const VariationalStep next = variationalStep(robot, pi, before, now, none, h);
      EXPECT_TRUE(next.solved) << next.reason;
      before = now;
      now = next.q;
    }
    return result;
  }
};

double spread(const std::vector<double>& values, size_t begin, size_t end) {
  const auto [least, most] =
      std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(begin),
                          values.begin() + static_cast<std::ptrdiff_t>(end));
  return *most - *least;
}

TEST(VariationalIntegrator, EnergyOscillatesAndDoesNotDrift) {
  const Pendulums arm;
  const std::vector<double> energies = arm.energies(0.004, 6000);
  // At the end the deviation is no larger than at the beginning.
  const double first = spread(energies, 0, 1500);
  EXPECT_LT(spread(energies, 0, 6000), 3.0 * first);
  EXPECT_GT(first, 0.0);
}

TEST(VariationalIntegrator, IsOfSecondOrder) {
  const Pendulums arm;
  const double coarse = spread(arm.energies(0.004, 500), 0, 500);
  const double fine = spread(arm.energies(0.002, 1000), 0, 1000);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
}

// On motions of its own integrator the variational rows are exact up to rounding.
TEST(VariationalIntegrator, RowsAreExactOnItsOwnMotion) {
  const Pendulums arm;
  std::mt19937_64 rng(1);
  const double h = 0.01;
  Eigen::VectorXd before = arm.q0;
  Eigen::VectorXd now = variationalStart(arm.robot, arm.pi, arm.q0, arm.dq0, arm.none, h).q;
  for (int i = 0; i < 50; ++i) {
    const Eigen::VectorXd tau = support::vectorX(rng, 3, 5.0);
    const VariationalStep next = variationalStep(arm.robot, arm.pi, before, now, tau, h);
    ASSERT_TRUE(next.solved) << next.reason;
    const Eigen::VectorXd rows =
        discreteEulerLagrangeRows(arm.robot, before, now, next.q, h) * arm.pi;
    EXPECT_LT((rows - tau).norm(), 1e-9 * (1.0 + tau.norm()));  // rounding error divided by h^2
    before = now;
    now = next.q;
  }
}

TEST(VariationalIntegrator, SaysWhyItFails) {
  const Pendulums arm;
  const VariationalStep no_robot =
      variationalStart(arm.robot, -arm.pi, arm.q0, arm.dq0, arm.none, 0.01);
  EXPECT_FALSE(no_robot.solved);
  EXPECT_EQ(no_robot.reason, kMassMatrixReason);
  const VariationalStep too_long =
      variationalStart(arm.robot, arm.pi, arm.q0, 30.0 * arm.dq0, arm.none, 2.0);
  EXPECT_FALSE(too_long.solved);
  EXPECT_EQ(too_long.reason, "the step of 2.000000 s is too long for this motion");
  EXPECT_TRUE(too_long.q.array().isNaN().all());
}

}  // namespace
}  // namespace dynid
