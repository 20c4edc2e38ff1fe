#include "dynid/robot/loop_closure.h"

#include <gmock/gmock.h>

#include "support/closed_chains.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;

TEST(LoopClosure, TheFourBarFollowsFreudensteinsEquationOverTwoTurns) {
  const Robot robot = support::fourBar();
  const support::FourBar exact;
  ClosedPosition position = closedPosition(robot, Eigen::VectorXd::Zero(1));
  for (double u = 0.0; u < 12.6; u += 0.31) {
    position = followLoops(robot, position, Eigen::VectorXd::Constant(1, u));
    ASSERT_TRUE(position.closed) << position.reason;
    EXPECT_EQ(position.q(0), u);
    // Angles of a rotating coupler are compared as directions.
    EXPECT_NEAR(
        std::remainder(position.q(1) - (exact.couplerAngle(u) - u), 2.0 * M_PI), 0.0, 1e-13);
    EXPECT_NEAR(std::remainder(position.q(2) - exact.rockerAngle(u), 2.0 * M_PI), 0.0, 1e-13);
    EXPECT_LT(loopEquations(robot, position.q).c.cwiseAbs().maxCoeff(), 1e-14);
  }
}

TEST(LoopClosure, TheJacobianIsTheDerivativeOfTheConstraints) {
  for (Loop::Type type : support::kLoopTypes) {
    for (bool on_base : {true, false}) {
      const Robot robot = support::randomClosedRobot(3, type, 2, on_base);
      std::mt19937_64 rng(5);
      // Positions that are not closed are included, since the closing iteration passes through
      // them.
      const Eigen::VectorXd q = robot.assembly + support::vectorX(rng, robot.numTreeJoints(), 0.3);
      const LoopEquations here = loopEquations(robot, q);
      for (Eigen::Index j = 0; j < q.size(); ++j) {
        constexpr double kStep = 1e-6;
        Eigen::VectorXd ahead = q, behind = q;
        ahead(j) += kStep;
        behind(j) -= kStep;
        const Eigen::VectorXd slope =
            (loopEquations(robot, ahead).c - loopEquations(robot, behind).c) / (2.0 * kStep);
        // Central differences: truncation error 1e-12, rounding error 1e-10.
        EXPECT_LT((slope - here.A.col(j)).cwiseAbs().maxCoeff(), 1e-9)
            << "type " << static_cast<int>(type) << ", joint " << j;
      }
      if (!on_base) {
        EXPECT_EQ(here.A.col(0).norm(), 0.0);
      }
    }
  }
}

TEST(LoopClosure, SpatialLoopsCloseAndStayOnTheirBranch) {
  int followed = 0;
  for (Loop::Type type : support::kLoopTypes) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const Robot robot = support::randomClosedRobot(seed, type, 2, true);
      const ClosedPosition start = closeLoopsNear(robot, robot.assembly);
      if (!start.closed) continue;  // too close to a singular position
      EXPECT_LT((start.q - robot.assembly).cwiseAbs().maxCoeff(), 1e-9);
      const Eigen::VectorXd goal = robot.assembly.head(2) + Eigen::Vector2d(0.15, -0.1);
      const ClosedPosition there = followLoops(robot, start, goal);
      if (!there.closed) continue;  // not every random chain reaches that far
      ++followed;
      EXPECT_LT(loopEquations(robot, there.q).c.cwiseAbs().maxCoeff(), 1e-12);
      const ClosedPosition back = followLoops(robot, there, robot.assembly.head(2));
      ASSERT_TRUE(back.closed) << back.reason;
      EXPECT_LT((back.q - start.q).cwiseAbs().maxCoeff(), 1e-10);
    }
  }
  EXPECT_GT(followed, 20);
}

TEST(LoopClosure, BeyondItsReachItSaysHowFarTheMechanismCanBeFollowed) {
  Robot robot = support::fourBar();
  // Driven at the rocker, the same linkage has dead centres.
  std::swap(robot.joints[0], robot.passive_joints[1]);
  for (Body& body : robot.bodies)
    body.joint = body.joint == 0 ? 2 : (body.joint == 2 ? 0 : body.joint);
  std::swap(robot.assembly(0), robot.assembly(2));
  const ClosedPosition far = closedPosition(robot, Eigen::VectorXd::Constant(1, 0.2));
  EXPECT_FALSE(far.closed);
  EXPECT_THAT(far.reason, HasSubstr("rocker_joint = 0.2"));
  EXPECT_THAT(far.reason, HasSubstr("the mechanism can be followed up to rocker_joint = "));
  EXPECT_TRUE(far.q.allFinite());
  const ClosedPosition counts = closedPosition(robot, Eigen::VectorXd::Constant(1, 3e7));
  EXPECT_FALSE(counts.closed);
  EXPECT_THAT(counts.reason, HasSubstr("check its unit, or subtract whole turns"));
  const ClosedPosition nowhere = closedPosition(robot, Eigen::VectorXd::Constant(1, std::nan("")));
  EXPECT_FALSE(nowhere.closed);
  EXPECT_THAT(nowhere.reason, HasSubstr("not a number"));
}

}  // namespace
}  // namespace dynid
