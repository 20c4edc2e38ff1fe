#include "dynid/formulations/closed_mechanism.h"

#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/formulations/agreement.h"
#include "dynid/formulations/projection_method.h"
#include "dynid/formulations/unprojected.h"

#include <gmock/gmock.h>

#include "support/closed_chains.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;

Robot palletizer() {
  return loadRobot(std::string(DYNID_DATASETS_DIR) + "/palletizer/palletizer.toml");
}

std::vector<Robot> mechanisms() {
  std::vector<Robot> robots = {support::fourBar(), palletizer()};
  for (Loop::Type type : support::kLoopTypes)
    for (std::uint64_t seed = 1; robots.size() < 12; ++seed) {
      Robot robot = support::randomClosedRobot(seed, type, 2, true);
      const ClosedPosition start = closeLoopsNear(robot, robot.assembly);
      if (!start.closed) continue;
      if (start.pivot_ratio < 0.02) continue;
      robots.push_back(std::move(robot));
      break;
    }
  return robots;
}

TEST(ClosedMechanism, EverySolverFindsTheAccelerationsOfTheReducedEquations) {
  for (const Robot& robot : mechanisms()) {
    const Eigen::Index n = robot.numJoints();
    std::mt19937_64 rng(2);
    const Eigen::VectorXd pi = priorParameters(robot), u = robot.assembly.head(n),
                          du = support::vectorX(rng, n, 1.0), ddu = support::vectorX(rng, n, 3.0);
    const Eigen::VectorXd tau = inverseDynamics(robot, pi, u, du, ddu);
    Eigen::VectorXd q = u, dq = du, ddq = ddu;
    const ClosedPosition here = requireClosed(robot, u);
    closedMotion<double>(robot, here, q, dq, ddq);
    const ConstrainedSystem system = closedSystem(robot, pi, q, dq, tau);
    EXPECT_EQ(system.A.rows(), q.size() - n);
    const double effort = (system.M * ddq).norm() + system.bias.norm();
    for (const ConstrainedSolver& solver : constrainedSolvers()) {
      const ConstrainedMotion motion = solver.solve(system);
      ASSERT_TRUE(motion.solved) << robot.name << ", " << solver.name << ": " << motion.reason;
      EXPECT_LT((system.M * (motion.ddq - ddq)).norm(), 1e-10 * effort)
          << robot.name << ", " << solver.name;
      // The constraint forces of the loops balance the equations of the tree.
      const Eigen::VectorXd left =
          system.M * motion.ddq + system.bias - system.tau - system.A.transpose() * motion.lambda;
      EXPECT_LT(left.norm(), 1e-10 * effort) << robot.name << ", " << solver.name;
    }
  }
}

TEST(ClosedMechanism, SimulationKeepsEnergyAndTheLoopsClosedWithEverySolver) {
  const Robot robot = support::fourBar();
  const Eigen::VectorXd pi = priorParameters(robot), start = Eigen::VectorXd::Constant(1, 0.4),
                        rate = Eigen::VectorXd::Constant(1, 6.0);
  const DriveEffort none = [](double, const Eigen::VectorXd& q, const Eigen::VectorXd&) {
    return Eigen::VectorXd::Zero(q.size());
  };
  MechanismSimulationOptions options;
  options.duration_s = 1.0;
  Eigen::VectorXd last;
  for (const ConstrainedSolver& solver : constrainedSolvers()) {
    const MechanismMotion motion = simulateMechanism(robot, pi, start, rate, none, solver, options);
    ASSERT_TRUE(motion.solved) << motion.reason;
    const Eigen::Index end = motion.time.size() - 1;
    EXPECT_DOUBLE_EQ(motion.time(end), 1.0);
    EXPECT_LT(motion.largest_gap, 1e-13) << solver.name;
    const auto energy_at = [&](Eigen::Index i) {
      const Energy e = energy(robot,
                              pi,
                              {},
                              Eigen::VectorXd::Constant(1, motion.q(i, 0)),
                              Eigen::VectorXd::Constant(1, motion.dq(i, 0)));
      return e.kinetic + e.potential;
    };
    // Fourth order at 1 ms: about 1e-9 of the energy.
    EXPECT_NEAR(energy_at(end), energy_at(0), 1e-7 * std::abs(energy_at(0))) << solver.name;
    if (last.size() > 0) {
      EXPECT_LT((motion.q.row(end).transpose() - last).norm(), 1e-9) << solver.name;
    }
    last = motion.q.row(end);
  }
}

TEST(ClosedMechanism, TheDriftIsOfTheOrderOfTheRuleAndProjectionRemovesIt) {
  const Robot robot = support::fourBar();
  const Eigen::VectorXd pi = priorParameters(robot), start = Eigen::VectorXd::Constant(1, 0.4),
                        rate = Eigen::VectorXd::Constant(1, 8.0);
  const DriveEffort none = [](double, const Eigen::VectorXd& q, const Eigen::VectorXd&) {
    return Eigen::VectorXd::Zero(q.size());
  };
  const ConstrainedSolver solver = constrainedSolvers().front();
  MechanismSimulationOptions options;
  options.duration_s = 2.0;
  options.project = false;
  options.step_s = 8e-3;
  const double coarse =
      simulateMechanism(robot, pi, start, rate, none, solver, options).largest_gap;
  options.step_s = 4e-3;
  const double fine = simulateMechanism(robot, pi, start, rate, none, solver, options).largest_gap;
  EXPECT_GT(coarse, 8.0 * fine);  // fourth order: 16
  EXPECT_GT(fine, 1e-9);
  options.project = true;
  EXPECT_LT(simulateMechanism(robot, pi, start, rate, none, solver, options).largest_gap, 1e-13);
}

TEST(ClosedMechanism, AStopSaysWhenAndWhy) {
  const Robot robot = support::fourBar();
  const Eigen::VectorXd massless = Eigen::VectorXd::Zero(30), zero = Eigen::VectorXd::Zero(1);
  const DriveEffort unit = [](double, const Eigen::VectorXd& q, const Eigen::VectorXd&) {
    return Eigen::VectorXd::Ones(q.size());
  };
  const MechanismMotion motion =
      simulateMechanism(robot, massless, zero, zero, unit, constrainedSolvers().front());
  EXPECT_FALSE(motion.solved);
  EXPECT_THAT(motion.reason, HasSubstr("at 0 s: augmented: the mass matrix"));
  EXPECT_TRUE(motion.q.allFinite());
  EXPECT_EQ(motion.time.size(), 1);
}

TEST(ClosedMechanism, FormulationsAgreeOnClosedRobots) {
  for (const Robot& robot : {support::fourBar(), palletizer()}) {
    AgreementOptions options;
    options.states = 5;
    for (const FormulationAgreement& row : compareFormulations(robot, options)) {
      EXPECT_TRUE(row.agrees()) << robot.name << ", " << row.name << ": "
                                << row.max_relative_disagreement;
      // The constraints are those of the mechanism's loops, however few driven joints it has.
      if (row.name == "augmented" || row.name == "udwadia-kalaba") {
        EXPECT_TRUE(row.applies) << robot.name << ", " << row.name;
      }
    }
  }
}

TEST(ClosedMechanism, OnABaseAtRestTheRowsAreThoseOfTheProjectionMethod) {
  for (const Robot& robot : mechanisms()) {
    const Eigen::Index n = robot.numJoints();
    std::mt19937_64 rng(4);
    const Eigen::VectorXd q = robot.assembly.head(n), dq = support::vectorX(rng, n, 1.0),
                          ddq = support::vectorX(rng, n, 3.0);
    const SensedMotion rest{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero(), -robot.gravity};
    const Eigen::MatrixXd Y = projectionRegressor(robot, q, dq, ddq);
    const MovingBaseRows rows = movingBaseRows(robot, rest, q, dq, ddq);
    ASSERT_EQ(rows.joints.rows(), n);
    EXPECT_LT((rows.joints - Y).norm(), 1e-12 * Y.norm()) << robot.name;
  }
}

}  // namespace
}  // namespace dynid
