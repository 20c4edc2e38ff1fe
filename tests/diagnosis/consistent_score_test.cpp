#include "dynid/diagnosis/consistent_score.h"

#include <gtest/gtest.h>

#include "arm_statistics.h"
#include <memory>

namespace dynid {
namespace {

ConsistentScore scoreOf(const support::ArmStatistics& arm, const EffortAssignment& assignment) {
  return scoreConsistently(arm.columns,
                           arm.motion,
                           arm.effort,
                           assignment,
                           Eigen::VectorXd::Ones(arm.columns.channels()));
}

TEST(ConsistentScore, PhysicsCostsNothingInTheDescribedGravityAndMuchInTheOpposite) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  const DiagnosedLog log = support::simulatedLog(*robot, 1, 0.35);
  const support::ArmStatistics right(robot, log), wrong(withGravity(*robot, -robot->gravity), log);
  const ConsistentScore of_right = scoreOf(right, asLogged(4));
  ASSERT_TRUE(of_right.solved);
  EXPECT_LT(of_right.objective - of_right.free_objective, 0.3);
  EXPECT_LT(of_right.unexplained.maxCoeff(), 0.01);
  const ConsistentScore of_wrong = scoreOf(wrong, asLogged(4));
  ASSERT_TRUE(of_wrong.solved);
  EXPECT_GT(of_wrong.objective - of_wrong.free_objective, 5.0);
}

// Factors of the assignment: friction that drives the motion is not passive.
TEST(ConsistentScore, JudgesTheEffortsThatAreAssigned) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  const support::ArmStatistics arm(robot, support::simulatedLog(*robot));
  EffortAssignment twice = asLogged(4), opposite = asLogged(4);
  twice.factor *= 2.0;
  opposite.factor *= -1.0;
  const double logged = scoreOf(arm, asLogged(4)).objective;
  EXPECT_NEAR(scoreOf(arm, twice).objective, logged, 0.05);
  EXPECT_GT(scoreOf(arm, opposite).objective, logged + 2.0);
}

}  // namespace
}  // namespace dynid
