#include "dynid/diagnosis/assumptions.h"

#include "dynid/diagnosis/raw_mistakes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <numbers>
#include <stdexcept>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AssumptionsTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const Robot> robot_ = support::simulatedArm();
  const DiagnosedLog right_ = support::simulatedLog(*robot_);
  DiagnosedLog log_ = right_;
  RawSignals& rows() { return log_.windows.front(); }

  /// The rows that are read under the assumptions are those of the log without mistakes.
  void expectUndone(const LogAssumptions& assumptions) {
    RawSignals read = rows();
    apply(assumptions.correction, read);
    const RawSignals& right = right_.windows.front();
    EXPECT_TRUE(read.time.isApprox(right.time, 1e-12));
    EXPECT_TRUE(read.position.isApprox(right.position, 1e-12));
    EXPECT_TRUE(read.velocity.isApprox(right.velocity, 1e-12));
    EXPECT_TRUE(read.effort.isApprox(right.effort, 1e-12));
  }
};

TEST_F(AssumptionsTest, NothingIsAssumedAboutALogWithoutMistakes) {
  const LogAssumptions assumptions = findAssumptions(robot_, log_);
  EXPECT_TRUE(assumptions.texts.empty());
  EXPECT_TRUE(assumptions.correction.changesNothing());
}

TEST_F(AssumptionsTest, AReversedEffortIsUndone) {
  rows().effort.col(2) *= -1.0;
  const LogAssumptions assumptions = findAssumptions(robot_, log_);
  EXPECT_THAT(assumptions.texts, ElementsAre("the effort of elbow has the opposite sign"));
  expectUndone(assumptions);
}

TEST_F(AssumptionsTest, TwoReversedEffortsAreUndone) {
  rows().effort.col(1) *= -1.0;
  rows().effort.col(2) *= -1.0;
  const LogAssumptions assumptions = findAssumptions(robot_, log_);
  EXPECT_THAT(assumptions.texts,
              ElementsAre("the effort of shoulder and elbow has the opposite sign"));
  expectUndone(assumptions);
}

TEST_F(AssumptionsTest, AReversedEffortAndExchangedEffortsAreUndoneOneAfterTheOther) {
  rows().effort.col(0) *= -1.0;
  rows().effort.col(1).swap(rows().effort.col(2));
  const LogAssumptions assumptions = findAssumptions(robot_, log_);
  EXPECT_EQ(assumptions.texts.size(), 2u);
  expectUndone(assumptions);
}

TEST_F(AssumptionsTest, MillisecondsAndAReversedEffortAreUndone) {
  rows().time *= 1e3;
  rows().velocity *= 1e-3;
  log_.duration_s *= 1e3;
  rows().effort.col(1) *= -1.0;
  const LogAssumptions assumptions = findAssumptions(robot_, log_);
  EXPECT_THAT(assumptions.texts,
              ElementsAre("the clock of the log is wrong by a factor 0.001",
                          "the effort of shoulder has the opposite sign"));
  expectUndone(assumptions);
}

// Drivers measure the speed by themselves: the stamps alone are wrong.
TEST_F(AssumptionsTest, RightVelocitiesOfAWrongClockStayAsTheyAre) {
  for (const double slower : {0.5, 1e3}) {
    log_ = right_;
    rows().time *= slower;
    log_.duration_s *= slower;
    const LogAssumptions assumptions = findAssumptions(robot_, log_);
    EXPECT_EQ(assumptions.texts.size(), 1u) << slower;
    RawSignals read = rows();
    apply(assumptions.correction, read);
    EXPECT_TRUE(read.time.isApprox(right_.windows.front().time, 1e-2)) << slower;
    EXPECT_EQ(read.velocity, right_.windows.front().velocity) << slower;
  }
}

TEST_F(AssumptionsTest, RightVelocitiesOfPositionsInDegreesStayAsTheyAre) {
  rows().position *= 180.0 / std::numbers::pi;
  const LogAssumptions assumptions = findAssumptions(robot_, log_);
  EXPECT_EQ(assumptions.texts.size(), 1u);
  expectUndone(assumptions);
}

TEST_F(AssumptionsTest, DegreesBeyondTheLimitsAreUndone) {
  rows().position *= 180.0 / std::numbers::pi;
  rows().velocity *= 180.0 / std::numbers::pi;
  const LogAssumptions assumptions = findAssumptions(robot_, log_);
  ASSERT_EQ(assumptions.texts.size(), 1u);
  EXPECT_THAT(assumptions.texts[0], HasSubstr("the position of all joints must be multiplied by"));
  expectUndone(assumptions);
}

TEST(Degrees, AreThoseOfTheNamedJointsUnlessMoreThanHalfAreNamed) {
  Robot robot;
  robot.joints.resize(2);
  robot.T.setIdentity(2, 2);
  robot.measured_at_actuator.resize(2);
  std::vector<Finding> findings{{Finding::Severity::kRefuse, "raw-position-unit", 1, "", 95.1, ""}};
  EXPECT_THAT(degreesBehind(findings, robot)->joints, testing::ElementsAre(1));
  findings.push_back({Finding::Severity::kRefuse, "raw-position-unit", 0, "", 206.6, ""});
  EXPECT_THAT(degreesBehind(findings, robot)->joints, testing::IsEmpty()) << "all";
}

// An arm of six joints in degrees, three of them positions of coupled drives: only the other three
// were converted.
TEST(Degrees, PositionsOfCoupledDrivesDoNotSpeakAgainstThem) {
  Robot robot;
  robot.joints.resize(4);
  robot.T.setIdentity(4, 4);
  robot.T(2, 3) = robot.T(3, 2) = 0.5;
  robot.measured_at_actuator = {false, false, true, true};
  std::vector<Finding> findings;
  for (const int joint : {0, 1})
    findings.push_back({Finding::Severity::kRefuse, "raw-position-unit", joint, "", 95.1, ""});
  EXPECT_THAT(degreesBehind(findings, robot)->joints, testing::IsEmpty()) << "all";
  robot.measured_at_actuator = {false, false, false, false};
  EXPECT_THAT(degreesBehind(findings, robot)->joints, testing::ElementsAre(0, 1));
}

TEST(NamedForMostLogs, PutsTheMistakeOfTheOtherLogsBeforeALikelierOne) {
  using Kind = Mistake::Kind;
  const Mistake third_sixth{Kind::kEffortSign, {2, 5}}, third_fifth{Kind::kEffortSign, {2, 4}};
  const Mistake zero{Kind::kPositionZero, {1}, 1.5}, near_zero{Kind::kPositionZero, {1}, 1.6};
  const Mistake opposite{Kind::kPositionZero, {1}, -1.5};
  const std::vector<std::vector<Mistake>> named{{third_sixth}, {third_fifth, third_sixth}, {}};
  EXPECT_THAT(namedForMostLogs(named, 0)->joints, ElementsAre(2, 5));
  EXPECT_THAT(namedForMostLogs(named, 1)->joints, ElementsAre(2, 5));
  EXPECT_FALSE(namedForMostLogs(named, 2));
  EXPECT_EQ(namedForMostLogs({{opposite, zero}, {near_zero}}, 0)->value, 1.5);
  EXPECT_EQ(namedForMostLogs({{opposite, zero}, {third_fifth}}, 0)->value, -1.5) << "a tie";
}

TEST_F(AssumptionsTest, DegreesOfASmallMotionShowInTheEfforts) {
  log_ = support::simulatedLog(*robot_, 1, 0.08);
  const RawSignals right = rows();
  rows().position *= 180.0 / std::numbers::pi;
  rows().velocity.resize(0, 0);
  const LogAssumptions assumptions = findAssumptions(robot_, log_);
  ASSERT_EQ(assumptions.texts.size(), 1u);
  EXPECT_THAT(assumptions.texts[0], HasSubstr("(it is in degrees)"));
  apply(assumptions.correction, rows());
  EXPECT_TRUE(rows().position.isApprox(right.position, 1e-12));
}

TEST_F(AssumptionsTest, OnlyMistakesOfColumnsCanBeUndone) {
  using Kind = Mistake::Kind;
  EXPECT_FALSE(isReversible({Kind::kGravity}));
  EXPECT_FALSE(isReversible({Kind::kEffortDelay}));
  EXPECT_TRUE(isReversible({Kind::kEffortSign}));
  EXPECT_TRUE(correctionOf({Kind::kGravity}, *robot_).changesNothing());
}

TEST_F(AssumptionsTest, MistakesOfJointsThatDoNotExistAreRefused) {
  using Kind = Mistake::Kind;
  EXPECT_THROW(correctionOf({Kind::kEffortSwap}, *robot_), std::invalid_argument);
  EXPECT_THROW(correctionOf({Kind::kColumnSwap, {1}}, *robot_), std::invalid_argument);
  EXPECT_THROW(correctionOf({Kind::kPositionSwap, {0, 99}}, *robot_), std::invalid_argument);
  EXPECT_THROW(correctionOf({Kind::kEffortSign, {-1}}, *robot_), std::invalid_argument);
  EXPECT_THROW(correctionOf({Kind::kPositionZero}, *robot_), std::invalid_argument);
  EXPECT_THROW(correctionOf({Kind::kColumnOrder, {}, 0.0, {0}}, *robot_), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
