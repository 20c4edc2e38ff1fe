#include "dynid/diagnosis/consistent_score.h"

#include "dynid/diagnosis/hypothesis_search.h"
#include "dynid/diagnosis/log_excerpt.h"

#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <memory>
#include <vector>

namespace dynid {
namespace {

/// The statistics of a log of the simulated arm under the gravity of `robot`.
struct ScoredArm {
  std::shared_ptr<const Robot> robot;
  ChannelColumns columns{robot}, weightless{withGravity(*robot, Eigen::Vector3d::Zero())};
  MotionStatistics motion;
  EffortStatistics effort;

  ScoredArm(std::shared_ptr<const Robot> described, const DiagnosedLog& log)
      : robot(std::move(described)) {
    const LogExcerpt excerpt = excerptOf(log.windows, std::vector<bool>(robot->numJoints(), false));
    const ColumnMotion moved{excerpt.q, excerpt.dq, excerpt.ddq};
    const ChannelRows rows = columns.rows(moved);
    motion = motionStatistics(columns, weightless, moved, rows, excerpt.fold);
    effort = effortStatistics(rows, excerpt.effort, excerpt.fold);
  }

  ConsistentScore score(const EffortAssignment& assignment) const {
    return scoreConsistently(
        columns, motion, effort, assignment, Eigen::VectorXd::Ones(columns.channels()));
  }
};

TEST(ConsistentScore, PhysicsCostsNothingInTheDescribedGravityAndMuchInTheOpposite) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  const DiagnosedLog log = support::simulatedLog(*robot, 1, 0.35);
  const ScoredArm right(robot, log), wrong(withGravity(*robot, -robot->gravity), log);
  const ConsistentScore of_right = right.score(asLogged(4));
  ASSERT_TRUE(of_right.solved);
  EXPECT_LT(of_right.objective - of_right.free_objective, 0.3);
  EXPECT_LT(of_right.unexplained.maxCoeff(), 0.01);
  const ConsistentScore of_wrong = wrong.score(asLogged(4));
  ASSERT_TRUE(of_wrong.solved);
  EXPECT_GT(of_wrong.objective - of_wrong.free_objective, 5.0);
}

// Factors of the assignment: friction that drives the motion is not passive.
TEST(ConsistentScore, JudgesTheEffortsThatAreAssigned) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  const ScoredArm arm(robot, support::simulatedLog(*robot));
  EffortAssignment twice = asLogged(4), opposite = asLogged(4);
  twice.factor *= 2.0;
  opposite.factor *= -1.0;
  const double logged = arm.score(asLogged(4)).objective;
  EXPECT_NEAR(arm.score(twice).objective, logged, 0.05);
  EXPECT_GT(arm.score(opposite).objective, logged + 2.0);
}

}  // namespace
}  // namespace dynid
