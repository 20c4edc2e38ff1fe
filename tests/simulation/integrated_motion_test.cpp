#include "dynid/simulation/integrated_motion.h"

#include "dynid/core/errors.h"
#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/simulation/simulate.h"

#include <gmock/gmock.h>

#include "support/closed_chains.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;

Eigen::VectorXd described(const Robot& robot) {
  Eigen::VectorXd pi(Eigen::Index{10} * robot.numBodies());
  for (int k = 0; k < robot.numBodies(); ++k)
    pi.segment<10>(Eigen::Index{10} * k) = robot.bodies[k].prior.value();
  return pi;
}

TEST(IntegratedMotion, EverySolverHoldsTheMechanismToTheMotion) {
  const Robot robot = support::fourBar();
  RandomMotionOptions options;
  options.duration_s = 6.0;
  options.fundamental_hz = 0.5;
  const SimulatedMotion reference = randomMotion(robot, options);
  for (const std::string& solver : constrainedSolverNames()) {
    const IntegratedMotion done =
        integrateMotion(robot, described(robot), reference, 200.0, solver);
    EXPECT_LT(done.largest_gap, 1e-12) << solver;
    EXPECT_GT(done.opened_gap, done.largest_gap) << solver;
    // Fourth-order Runge-Kutta at 1.67 ms, motions up to 8 rad/s.
    EXPECT_LT(done.off_course, 1e-6) << solver;
    // The result is a consistent motion: accelerations are derivatives of the rates.
    for (double t : {1.0, 2.0, 3.0}) {
      const double h = 0.005;
      const Eigen::VectorXd slope =
          (done.motion.at(t + h).dq - done.motion.at(t - h).dq) / (2.0 * h);
      const JointMotion at = done.motion.at(t), wanted = reference.at(t);
      EXPECT_LT((at.ddq - wanted.ddq).norm(), 1e-3 * (1.0 + wanted.ddq.norm())) << solver;
      // central differences over 5 ms of a motion of a few rad/s: h^2/6 d4q
      EXPECT_LT((slope - at.ddq).norm(), 0.05 * (1.0 + at.ddq.norm())) << solver;
    }
  }
}

TEST(IntegratedMotion, ALogOfItHasThePassiveColumnsThatCloseTheLoops) {
  const Robot robot = support::fourBar();
  SimulationOptions options;
  options.motion.duration_s = 6.0;
  options.solver = "projected";
  options.passive = true;
  options.acceleration = true;
  const LogHeader header = simulatedHeader(robot, options);
  EXPECT_THAT(header.joint_names,
              ::testing::ElementsAre("crank_joint", "coupler_joint", "rocker_joint"));
  RawBlock log;
  const SimulationSummary summary =
      simulate(robot, randomTruth(robot, 3), options, [&](const RawBlock& block) { log = block; });
  EXPECT_THAT(summary.notes.at(0), HasSubstr("integrated by projected"));
  ASSERT_EQ(log.position.cols(), 3);
  const support::FourBar exact;
  for (Eigen::Index i = 0; i < log.position.rows(); i += 50) {
    const double u = log.position(i, 0);
    EXPECT_NEAR(std::remainder(log.position(i, 2) - exact.rockerAngle(u), 2.0 * M_PI), 0.0, 1e-12);
    EXPECT_NEAR(log.velocity(i, 2), exact.rockerRate(u) * log.velocity(i, 0), 1e-11);
    EXPECT_EQ(log.effort(i, 2), 0.0);
  }
}

TEST(IntegratedMotion, ATreeAndAnUnknownSolverAreRefused) {
  SimulationOptions options;
  options.solver = "direct";
  const Robot tree = randomRobot(1);
  EXPECT_THROW(simulate(tree, randomTruth(tree, 1), options, [](const RawBlock&) {}), UsageError);
  options = {};
  options.passive = true;
  const auto passive_log = [&] {
    simulate(tree, randomTruth(tree, 1), options, [](const RawBlock&) {});
  };
  EXPECT_THAT(passive_log,
              ::testing::ThrowsMessage<UsageError>(
                  AllOf(HasSubstr("passive joints"), HasSubstr("has no [[loop]]"))));
  const Robot robot = support::fourBar();
  EXPECT_THROW(integrateMotion(robot, described(robot), randomMotion(robot, {}), 100.0, "magic"),
               std::invalid_argument);
}

}  // namespace
}  // namespace dynid
