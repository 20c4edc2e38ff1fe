#include "dynid/robot/complete_limits.h"

#include <gtest/gtest.h>

#include <numbers>

namespace dynid {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(CompleteLimits, GivenLimitsStay) {
  const JointLimits given{-1.0, 2.0, 3.0, 4.0, 5.0};
  const JointLimits limits = completeLimits(given, false);
  EXPECT_EQ(limits.lower, -1.0);
  EXPECT_EQ(limits.upper, 2.0);
  EXPECT_EQ(limits.velocity, 3.0);
  EXPECT_EQ(limits.acceleration, 4.0);
  EXPECT_EQ(limits.effort, 5.0);
}

TEST(CompleteLimits, AJointWithoutLimits) {
  const JointLimits revolute = completeLimits({}, false);
  EXPECT_EQ(revolute.lower, -kPi);
  EXPECT_EQ(revolute.upper, kPi);
  EXPECT_EQ(revolute.velocity, 1.0);
  EXPECT_EQ(revolute.acceleration, 4.0);
  EXPECT_EQ(revolute.effort, kInfinity);
  const JointLimits prismatic = completeLimits({}, true);
  EXPECT_EQ(prismatic.lower, -0.5);
  EXPECT_EQ(prismatic.upper, 0.5);
  EXPECT_EQ(prismatic.velocity, 0.5);
  EXPECT_EQ(prismatic.acceleration, 2.0);
}

// A turn in the direction without a limit would take a robot's cables along.
TEST(CompleteLimits, BesideOneLimitTheRangeEndsHalfATurnFromZero) {
  JointLimits given;
  given.lower = -0.4;
  EXPECT_EQ(completeLimits(given, false).lower, -0.4);
  EXPECT_EQ(completeLimits(given, false).upper, kPi);
  EXPECT_EQ(completeLimits(given, true).upper, 0.5);
  given = {};
  given.upper = 0.1;
  EXPECT_EQ(completeLimits(given, false).lower, -kPi);
  EXPECT_EQ(completeLimits(given, false).upper, 0.1);
  EXPECT_EQ(completeLimits(given, true).lower, -0.5);
}

TEST(CompleteLimits, ALimitFarFromZeroHasARangeOfFullWidthBesideIt) {
  JointLimits given;
  given.upper = -4.0;
  EXPECT_EQ(completeLimits(given, false).lower, -4.0 - 2.0 * kPi);
  EXPECT_EQ(completeLimits(given, false).upper, -4.0);
  given = {};
  given.lower = 3.0;
  EXPECT_EQ(completeLimits(given, true).lower, 3.0);
  EXPECT_EQ(completeLimits(given, true).upper, 4.0);
  given.lower = 0.6 * kPi;
  EXPECT_EQ(completeLimits(given, false).upper, 2.6 * kPi);
}

TEST(CompleteLimits, TheAccelerationFollowsTheVelocity) {
  JointLimits given;
  given.velocity = 0.2;
  EXPECT_DOUBLE_EQ(completeLimits(given, false).acceleration, 0.8);
}

}  // namespace
}  // namespace dynid
