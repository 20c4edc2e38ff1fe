#include "dynid/excitation/effort_check.h"

#include "dynid/excitation/motion_limits.h"
#include "dynid/math/random_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>

namespace dynid {
namespace {

using testing::HasSubstr;

Eigen::VectorXd effortsAtRest(const Robot& robot, const Eigen::VectorXd& q) {
  const Eigen::MatrixXd still = Eigen::MatrixXd::Zero(1, q.size());
  return effortPeaks(robot, {q.transpose(), still, still});
}

// A horizontal lever of 2 kg, its centre of mass 0.5 m from a horizontal axis.
Robot lever(double lower, double upper, double effort) {
  Robot robot = chainRobot({{}}, {0.0, -9.81, 0.0});
  InertialParameters pi = InertialParameters::Zero();
  pi(0) = 2.0;
  pi(1) = 1.0;
  robot.bodies[0].prior = pi;
  robot.joints[0].limits.lower = lower;
  robot.joints[0].limits.upper = upper;
  robot.joints[0].limits.effort = effort;
  return robot;
}

LimitOptions wholeEffort() {
  LimitOptions options;
  options.effort_share = 1.0;
  return options;
}

TEST(EffortPeaks, GravityDampingAndFrictionInClosedForm) {
  Robot robot = lever(-1.0, 1.0, 20.0);
  robot.joints[0].damping = 2.0;
  robot.joints[0].friction = 0.5;
  MotionSamples motion;
  motion.q = Eigen::Vector2d(0.0, 0.5);
  motion.dq = Eigen::Vector2d(1.5, -1.0);
  motion.ddq = Eigen::Vector2d::Zero();
  const Eigen::MatrixXd efforts = describedEfforts(robot, motion);
  EXPECT_NEAR(efforts(0, 0), 9.81 + 3.0, 1e-12);
  EXPECT_NEAR(efforts(1, 0), 9.81 * std::cos(0.5) - 2.0, 1e-12);
  EXPECT_NEAR(effortPeaks(robot, motion)(0), 9.81 + 3.0 + 0.5, 1e-12);
  robot.joints[0].drive_inertia = 4.0;
  robot.joints[0].stiffness = 6.0;
  robot.joints[0].spring_reference = 0.1;
  const Eigen::MatrixXd still = describedEfforts(robot, motion);
  EXPECT_NEAR((still - efforts)(1, 0), 6.0 * 0.4, 1e-12);
  motion.ddq = Eigen::Vector2d(0.0, -2.0);
  const Eigen::MatrixXd moved = describedEfforts(robot, motion);
  robot.joints[0].drive_inertia = 0.0;
  EXPECT_NEAR((moved - describedEfforts(robot, motion))(1, 0), -8.0, 1e-12);
}

TEST(TooWeakToRest, SaysHowMuchIsMissing) {
  // Held within 0.5 rad of the horizontal: at least 9.81 cos(0.5) = 8.609 N m.
  const Robot weak = lever(-0.5, 0.5, 8.0);
  const auto reasons = tooWeakToRest(weak, motionLimits(weak, wholeEffort()));
  ASSERT_EQ(reasons.size(), 1u);
  EXPECT_THAT(reasons[0], HasSubstr(weak.joints[0].name + ": to hold the robot still takes 8.609"));
  EXPECT_THAT(reasons[0], HasSubstr("0.609 more than the effort limit 8;"));
  EXPECT_THAT(reasons[0], HasSubstr("`ignore_effort`"));
  EXPECT_THAT(reasons[0], HasSubstr("`effort_share`"));
  const Robot strong = lever(-0.5, 0.5, 8.7);
  EXPECT_TRUE(tooWeakToRest(strong, motionLimits(strong, wholeEffort())).empty());
}

// Random trees that can just be held in one posture known beforehand are not refused.
TEST(TooWeakToRest, NeverRefusesWhatCanBeHeld) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomRobotOptions options;
    options.joints = 6;
    Robot robot = randomRobot(seed, options);
    MotionLimits limits = motionLimits(robot, {});
    RandomStream random(seed, 5);
    // The easiest of 2000 postures: hardly any other one is as easy.
    Eigen::VectorXd best;
    double least = INFINITY;
    for (int i = 0; i < 2000; ++i) {
      Eigen::VectorXd q(limits.lower.size());
      for (Eigen::Index j = 0; j < q.size(); ++j)
        q(j) = random.uniform(limits.lower(j), limits.upper(j));
      const Eigen::VectorXd efforts = effortsAtRest(robot, q);
      if (efforts.sum() < least) {
        least = efforts.sum();
        best = efforts;
      }
    }
    limits.effort = (1.02 * best).cwiseMax(1e-3);
    EXPECT_THAT(tooWeakToRest(robot, limits), testing::IsEmpty()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace dynid
