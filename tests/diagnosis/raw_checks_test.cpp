#include "dynid/diagnosis/raw_checks.h"

#include "dynid/diagnosis/velocity_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <numbers>
#include <random>

namespace dynid {
namespace {

using ::testing::HasSubstr;

class RawChecksTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const Robot> robot_ = support::simulatedArm();
  DiagnosedLog log_ = support::simulatedLog(*robot_);
  RawSignals& rows() { return log_.windows.front(); }
  std::vector<Finding> found() { return checkRawLog(*robot_, log_.windows, log_.duration_s, true); }
  Finding only() {
    const std::vector<Finding> findings = found();
    EXPECT_EQ(findings.size(), 1u);
    return findings.empty() ? Finding{} : findings.front();
  }
};

TEST_F(RawChecksTest, ARightLogHasNothing) { EXPECT_TRUE(found().empty()); }

TEST_F(RawChecksTest, MillisecondsAreNamed) {
  rows().velocity = {};
  rows().time *= 1e3;
  EXPECT_THAT(only().remedy, HasSubstr("milliseconds would be 10 ms"));
}

TEST_F(RawChecksTest, DegreesAreNamedWithTheMappingKey) {
  rows().velocity = {};
  rows().position.col(1) *= 180.0 / std::numbers::pi;
  const Finding finding = only();
  EXPECT_THAT(finding.message, HasSubstr("shoulder: the position covers"));
  EXPECT_THAT(finding.remedy, HasSubstr("unit = \"deg\" under [position]"));
}

TEST_F(RawChecksTest, DegreesOfASmallMotionShowAgainstTheVelocity) {
  log_ = support::simulatedLog(*robot_, 1, 0.08);
  rows().position *= 180.0 / std::numbers::pi;
  ASSERT_LT(rows().position.cwiseAbs().maxCoeff(), 12.6);
  const std::vector<Finding> findings = found();
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_EQ(findings.front().code, "raw-position-degrees");
  EXPECT_THAT(findings.front().message,
              HasSubstr("turn: the logged velocity is 0.01745 times the derivative of the logged "
                        "position: the position is in degrees, the velocity in rad/s"));
}

TEST_F(RawChecksTest, ADescriptionInMillimetresIsNamed) {
  Robot robot = *robot_;
  for (Body& body : robot.bodies) body.X_PJ.p *= 1e3;
  const std::vector<Finding> findings = checkRawLog(robot, log_.windows, log_.duration_s, true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().code, "raw-robot-millimetres");
  EXPECT_EQ(findings.front().severity, Finding::Severity::kRefuse);
}

TEST_F(RawChecksTest, AConstantEffortOfAMovingJointIsRefused) {
  rows().effort.col(3).setZero();
  EXPECT_THAT(only().message, HasSubstr("wrist: the joint moves by"));
}

TEST_F(RawChecksTest, TheMagnitudeOfAnEffortIsRefused) {
  rows().effort.col(1) = rows().effort.col(1).cwiseAbs().eval();
  const Finding finding = only();
  EXPECT_EQ(finding.code, "raw-effort-unsigned");
  EXPECT_EQ(finding.severity, Finding::Severity::kRefuse);
  EXPECT_THAT(finding.message, HasSubstr("shoulder: the effort falls to zero"));
  rows().effort = -rows().effort.cwiseAbs().eval();
  EXPECT_THAT(only().message,
              HasSubstr("turn, shoulder, elbow, wrist: the effort falls to zero up"));
}

TEST_F(RawChecksTest, AnEffortOfOneSignThatStaysAwayFromZeroIsRight) {
  rows().effort.col(1).array() -= 1.3 * rows().effort.col(1).minCoeff();
  EXPECT_TRUE(found().empty());
}

// Gravity near its smallest, in every period: it comes near zero, smoothly, and not to zero.
TEST_F(RawChecksTest, AnEffortThatComesNearZeroAgainAndAgainIsRight) {
  const auto near_zero = [&](double smallest, double noise) {
    std::mt19937 generator(5);
    std::normal_distribution<double> normal;
    for (Eigen::Index r = 0; r < rows().time.size(); ++r)
      rows().effort(r, 1) =
          std::abs(smallest + 1.0 - std::cos(2.5 * rows().time(r)) + noise * normal(generator));
  };
  for (const double smallest : {0.01, 0.03, 0.06}) {
    near_zero(smallest, 0.0);
    EXPECT_TRUE(found().empty()) << smallest;
  }
  near_zero(0.06, 0.02);
  EXPECT_TRUE(found().empty());
}

TEST_F(RawChecksTest, ASlideInMillimetresIsRefused) {
  Robot robot = *robot_;
  robot.joints[0].prismatic = true;
  robot.joints[0].limits.lower = 0.0;
  robot.joints[0].limits.upper = 2.0;
  rows().position.col(0) *= 1e3;
  rows().velocity.col(0) *= 1e3;
  const std::vector<Finding> findings = checkRawLog(robot, log_.windows, log_.duration_s, true);
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.front().code, "raw-position-unit");
  EXPECT_THAT(findings.front().remedy, HasSubstr("unit = \"mm\" under [position]"));
}

TEST_F(RawChecksTest, ASlideAndATurningJointThatMayBeExchangedAreNamed) {
  Robot robot = *robot_;
  robot.joints[0].prismatic = true;
  robot.joints[0].limits.lower = -0.2;
  robot.joints[0].limits.upper = 0.2;
  const auto remedy = [&] {
    const std::vector<Finding> findings = checkRawLog(robot, log_.windows, log_.duration_s, true);
    return findings.empty() ? std::string() : findings.front().remedy;
  };
  EXPECT_THAT(remedy(), testing::Not(HasSubstr("exchanged")));
  rows().position.col(2) *= 0.1;
  rows().velocity.col(2) *= 0.1;
  EXPECT_THAT(remedy(), HasSubstr("columns exchanged with those of elbow (the positions of each"));
}

TEST_F(RawChecksTest, AnglesFarFromZeroAreRefused) {
  rows().position.col(1).array() += 2e6;
  const std::vector<Finding> findings = found();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings.front().code, "raw-position-turns");
  EXPECT_EQ(findings.front().severity, Finding::Severity::kRefuse);
  EXPECT_THAT(findings.front().remedy, HasSubstr("multiples of 2 pi"));
  rows().position.col(1).array() -= 2e6 - 1e3;
  EXPECT_TRUE(found().empty());
}

// The velocities of two joints that move alike, exchanged: no sign or unit is wrong.
TEST_F(RawChecksTest, VelocitiesThatOnlyResembleTheMotionAreNotJudged) {
  const Eigen::VectorXd other = rows().velocity.col(2);
  rows().velocity.col(1) = -0.7 * rows().velocity.col(1) + 0.5 * other;
  EXPECT_TRUE(found().empty());
  EXPECT_TRUE(velocitiesAgree(log_.windows));
  rows().velocity.col(1) = -rows().velocity.col(1);
  rows().velocity.col(2) *= 2.0;
  EXPECT_FALSE(velocitiesAgree(log_.windows));
}

TEST_F(RawChecksTest, AnEffortFarAboveTheLimitOfItsJointIsNamed) {
  Robot robot = *robot_;
  for (int j = 0; j < robot.numJoints(); ++j) robot.joints[j].limits.effort = 200.0 - j;
  rows().effort.col(2) *= 1e3;
  const std::vector<Finding> findings = checkRawLog(robot, log_.windows, log_.duration_s, true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().code, "raw-effort-limit");
  EXPECT_EQ(findings.front().joint, 2);
  EXPECT_EQ(findings.front().severity, Finding::Severity::kWarning);
}

// Dry friction changes its sign within two rows: the magnitude is near zero in one of them only.
TEST_F(RawChecksTest, TheMagnitudeOfAnEffortThatChangesItsSignAtOnceIsRefused) {
  rows().effort(0, 1) = 1.0;
  for (Eigen::Index r = 1; r < rows().time.size(); ++r) {
    const double speed = rows().velocity(r, 1);
    const bool turns = speed * rows().velocity(r - 1, 1) < 0.0;
    rows().effort(r, 1) = turns ? 0.01 : 1.0 + 0.1 * std::abs(speed);
  }
  EXPECT_EQ(only().code, "raw-effort-unsigned");
}

// Gravity less friction stays above zero; noise dips towards it.
TEST_F(RawChecksTest, ANoisyEffortOfOneSignIsRight) {
  std::mt19937 generator(5);
  std::normal_distribution<double> noise(0.0, 0.05);
  for (Eigen::Index r = 0; r < rows().time.size(); ++r)
    rows().effort(r, 1) =
        std::max(1e-3, (rows().velocity(r, 1) > 0.0 ? 1.0 : 0.17) + noise(generator));
  EXPECT_TRUE(found().empty());
}

// Averaged, the noise of a joint at standstill correlates with its velocity, with any slope.
TEST_F(RawChecksTest, VelocitiesOfAJointAtStandstillAreNotCompared) {
  rows().position.col(2) = 1e-4 * rows().position.col(1);
  rows().velocity.col(2) = 3e-5 * rows().velocity.col(1);
  EXPECT_TRUE(found().empty());
  rows().position.col(2) *= 1e3;
  EXPECT_EQ(only().code, "raw-velocity");
}

TEST_F(RawChecksTest, AVelocityInDegreesIsRefusedWithItsUnit) {
  rows().velocity.col(2) *= 180.0 / std::numbers::pi;
  const Finding finding = only();
  EXPECT_EQ(finding.code, "raw-velocity");
  EXPECT_THAT(finding.message, HasSubstr("57.3 times the derivative of the position"));
  EXPECT_THAT(finding.remedy, HasSubstr("set unit = \"deg/s\" under [velocity]"));
}

// A logger four times faster than its source.
TEST_F(RawChecksTest, PositionsThatAreHeldForSomeRowsAreNoSlowClock) {
  for (Eigen::Index r = 0; r < rows().time.size(); ++r) {
    const Eigen::Index held = r - r % 4;
    rows().position.row(r) = rows().position.row(held).eval();
    rows().velocity.row(r) = rows().velocity.row(held).eval();
  }
  EXPECT_TRUE(found().empty());
}

TEST_F(RawChecksTest, AnEffortThatStopsWhileTheJointMovesIsAWarningWithItsTime) {
  const Eigen::Index from = 1500, count = 600;  // 15 s to 21 s
  rows().effort.col(2).segment(from, count).setConstant(rows().effort(from, 2));
  const Finding finding = only();
  EXPECT_EQ(finding.code, "raw-effort-held");
  EXPECT_EQ(finding.severity, Finding::Severity::kWarning);
  EXPECT_THAT(finding.message, HasSubstr("elbow: the effort stays at "));
  EXPECT_THAT(finding.message, HasSubstr(" for 5.99 s from 15 s on, though the joint moves"));
}

TEST_F(RawChecksTest, EffortsOfASlowSourceAreAWarningWithItsInterval) {
  const auto hold = [&](Eigen::MatrixXd& channel, Eigen::Index count) {
    for (Eigen::Index r = 0; r < channel.rows(); ++r)
      channel.row(r) = channel.row(r - r % count).eval();
  };
  hold(rows().effort, 3);
  EXPECT_TRUE(found().empty());
  hold(rows().effort, 6);
  const Finding finding = only();
  EXPECT_EQ(finding.code, "raw-effort-repeated");
  EXPECT_EQ(finding.severity, Finding::Severity::kWarning);
  EXPECT_THAT(finding.message, HasSubstr("a new effort comes every 6 rows (60 ms) only"));
  hold(rows().position, 6);  // a logger that is faster than its source
  hold(rows().velocity, 6);
  EXPECT_TRUE(found().empty());
}

// Stretches of 0.5 s, far below a tenth of the log.
TEST_F(RawChecksTest, EffortsThatDropToZeroInMotionAreAWarning) {
  for (const Eigen::Index from : {1200, 2000, 2700})
    rows().effort.col(2).segment(from, 51).setZero();
  const Finding finding = only();
  EXPECT_EQ(finding.code, "raw-effort-zero");
  EXPECT_EQ(finding.severity, Finding::Severity::kWarning);
  EXPECT_THAT(finding.message,
              HasSubstr("elbow: the effort is exactly 0 for 1.5 s in 3 stretches, the first from "
                        "12 s on, and the joint moves"));
}

TEST_F(RawChecksTest, EffortsAreZeroAtStandstillOrAsLongAsAtOtherLevels) {
  for (const double level : {0.0, 1.25}) {
    rows().effort.col(2).segment(level == 0.0 ? 1200 : 2200, 51).setConstant(level);
    EXPECT_EQ(found().empty(), level != 0.0) << level;
  }
  rows().effort.col(2).segment(2200, 51) = rows().effort.col(2).segment(2400, 51).eval();
  for (Eigen::MatrixXd* channel : {&rows().position, &rows().velocity})
    channel->col(2).segment(1200, 51).setConstant(channel == &rows().velocity ? 0.0 : 0.3);
  EXPECT_TRUE(found().empty());
}

// Stretches far shorter than those of a single joint.
TEST_F(RawChecksTest, EffortsOfAllJointsThatDropToZeroInMotionAreAWarning) {
  const auto original = rows();
  rows().effort.middleRows(1200, 10).setZero();
  const Finding finding = only();
  EXPECT_EQ(finding.code, "raw-effort-zero");
  EXPECT_EQ(finding.joint, -1);
  EXPECT_THAT(finding.message,
              HasSubstr("all joints: the effort is exactly 0 for 0.09 s from 12 s on, and"));
  rows() = original;
  rows().effort.middleRows(1200, 9).setZero();
  EXPECT_TRUE(found().empty());
  rows() = original;
  rows().effort.middleRows(1200, 10).rightCols(3).setZero();
  EXPECT_TRUE(found().empty());
  rows().effort.middleRows(1200, 10).setZero();  // at standstill
  for (Eigen::Index r = 1201; r < 1210; ++r) {
    rows().position.row(r) = rows().position.row(1200);
    rows().velocity.row(r).setZero();
  }
  EXPECT_TRUE(found().empty());
}

// The audit finds clipped efforts.
TEST_F(RawChecksTest, AnEffortAtItsLimitIsNotHeld) {
  auto effort = rows().effort.col(2);
  effort = effort.cwiseMin(effort(1500)).eval();
  effort.segment(1500, 600).setConstant(effort.maxCoeff());
  EXPECT_TRUE(found().empty());
}

TEST_F(RawChecksTest, ACoarseEffortMayStayAtOneLevel) {
  const double step = 0.2 * rows().effort.col(2).cwiseAbs().maxCoeff();
  rows().effort.col(2) = step * (rows().effort.col(2) / step).array().round().matrix();
  rows().effort.col(2).segment(1500, 600).setConstant(step);
  EXPECT_TRUE(found().empty());
}

TEST_F(RawChecksTest, ACopiedColumnIsRefused) {
  rows().effort.col(3) = rows().effort.col(1);
  EXPECT_EQ(only().code, "raw-copied-column");
}

TEST_F(RawChecksTest, AConstantEffortOfAJointAtStandstillIsNot) {
  rows().effort.col(3).setZero();
  rows().position.col(3).setZero();
  rows().velocity.col(3).setZero();
  EXPECT_TRUE(found().empty());
}

/// The arm with effort limits of which the efforts of the log reach the given shares.
Robot withLimits(const Robot& robot, const RawSignals& rows, const std::vector<double>& shares) {
  Robot limited = robot;
  for (Eigen::Index j = 0; j < robot.numJoints(); ++j)
    limited.joints[j].limits.effort = rows.effort.col(j).cwiseAbs().maxCoeff() / shares[j];
  return limited;
}

TEST_F(RawChecksTest, MotorSideEffortsAreAWarningAlsoWhereOneJointExceedsAHundredthOfItsLimit) {
  const Robot robot = withLimits(*robot_, rows(), {0.4, 0.3, 0.25, 1.07});
  EXPECT_TRUE(checkRawLog(robot, log_.windows, log_.duration_s, true).empty());
  rows().effort *= 0.01;
  const std::vector<Finding> findings = checkRawLog(robot, log_.windows, log_.duration_s, true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().code, "raw-effort-unit");
  EXPECT_EQ(findings.front().severity, Finding::Severity::kWarning);
  EXPECT_EQ(findings.front().message,
            "the efforts reach at most 0.0107 times the effort limits of the robot description, "
            "those of half of the joints at most 0.004 times");
  EXPECT_THAT(findings.front().remedy, HasSubstr("set gear_ratio under [effort]"));
  EXPECT_THAT(findings.front().remedy, HasSubstr("motor currents: import them as [current]"));
}

TEST_F(RawChecksTest, SmallEffortsOfHalfOfTheJointsAreNoMistakeWhereAnotherJointIsLoaded) {
  const Robot robot = withLimits(*robot_, rows(), {0.004, 0.05, 0.005, 0.006});
  EXPECT_TRUE(checkRawLog(robot, log_.windows, log_.duration_s, true).empty());
}

TEST_F(RawChecksTest, EffortsFarAboveTheLimitsAreRefused) {
  const Robot robot = withLimits(*robot_, rows(), {0.4, 0.3, 0.25, 1.07});
  rows().effort *= 1e3;
  const std::vector<Finding> findings = checkRawLog(robot, log_.windows, log_.duration_s, true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().severity, Finding::Severity::kRefuse);
  EXPECT_EQ(findings.front().message,
            "the efforts of half of the joints reach 400 times the effort limits of the robot "
            "description");
}

TEST_F(RawChecksTest, EffortsFarAboveTheSameLimitOfAllJointsAreRefused) {
  Robot robot = *robot_;
  const double largest = rows().effort.cwiseAbs().maxCoeff();
  for (Joint& joint : robot.joints) joint.limits.effort = 5.0 * largest;
  const auto found = [&] { return checkRawLog(robot, log_.windows, log_.duration_s, true); };
  EXPECT_TRUE(found().empty());  // motor-side efforts need limits that differ
  rows().effort *= 1e4;
  ASSERT_EQ(found().size(), 1u);
  EXPECT_EQ(found().front().code, "raw-effort-unit");
  EXPECT_EQ(found().front().severity, Finding::Severity::kRefuse);
  EXPECT_THAT(found().front().message, HasSubstr("for all joints)"));
  for (Joint& joint : robot.joints) joint.limits.effort = 1.0;  // a placeholder
  ASSERT_EQ(found().size(), 1u);
  EXPECT_EQ(found().front().severity, Finding::Severity::kWarning);
}

TEST_F(RawChecksTest, AGripperOfSmallStrokeMovesEnough) {
  rows().position *= 0.01 / rows().position.cwiseAbs().maxCoeff();
  rows().velocity.resize(0, 0);
  EXPECT_TRUE(found().empty());
}

TEST_F(RawChecksTest, AVelocityInTurnsPerMinuteIsRefused) {
  rows().velocity *= 30.0 / std::numbers::pi;
  const std::vector<Finding> findings = found();
  ASSERT_EQ(findings.size(), 4u);
  EXPECT_THAT(findings.front().message, HasSubstr("is 9.55 times the derivative"));
}

TEST_F(RawChecksTest, AClockAtHalfSpeedIsRefused) {
  rows().time *= 2.0;
  EXPECT_THAT(only().message, HasSubstr("the clock of the log runs 2 times too slow"));
}

TEST_F(RawChecksTest, AClockIsRefusedBesideAWarningAndWithADelayedVelocity) {
  const Eigen::Index from = 1500, count = 600;
  rows().effort.col(2).segment(from, count).setConstant(rows().effort(from, 2));
  for (Eigen::Index r = rows().time.size(); r-- > 9;)
    rows().velocity(r, 1) = rows().velocity(r - 9, 1);
  rows().time *= 3.0;
  const std::vector<Finding> findings = found();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings.back().code, "raw-clock");
}

// A warning about velocities, and masses that were wrong by a half.
TEST_F(RawChecksTest, AClockThatIsATenthOffIsRefusedWhereAllVelocitiesAgree) {
  rows().time *= 1.2;
  EXPECT_THAT(only().message, HasSubstr("the clock of the log runs 1.2 times too slow"));
  rows().velocity.col(1) *= 1.04;  // another filter
  EXPECT_TRUE(found().empty());
}

TEST_F(RawChecksTest, TooLittleMotionIsRefused) {
  for (Eigen::MatrixXd* channel : {&rows().position, &rows().velocity, &rows().effort})
    *channel = channel->topRows(60).eval();
  rows().time = rows().time.head(60).eval();
  log_.duration_s = 0.59;
  EXPECT_THAT(only().message, HasSubstr("the log lasts 0.59 s"));
}

}  // namespace
}  // namespace dynid
