#include "dynid/diagnosis/described_score.h"

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/tried_hypothesis.h"
#include "dynid/diagnosis/uniform_rods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "arm_statistics.h"
#include "simulated_arm.h"
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

namespace dynid {
namespace {

using ::testing::HasSubstr;

constexpr Eigen::Index kDescribedElbow = 2;

/// The arm with the inertials of simulatedLog in its description.
std::shared_ptr<const Robot> describedArm(double factor_of_masses = 1.0) {
  auto robot = std::make_shared<Robot>(*support::simulatedArm());
  Eigen::VectorXd inertial = 2.0 * uniformRods(*robot);
  inertial.tail<10>() = inertialFromCenterOfMass(
      1.5, {0.03, 0.02, 0.06}, Eigen::Vector3d(0.01, 0.012, 0.004).asDiagonal());
  for (int body = 0; body < robot->numBodies(); ++body)
    robot->bodies[body].prior = factor_of_masses * inertial.segment<10>(10 * body);
  return robot;
}

/// In a narrow and slow motion the plain model explains many mistakes.
DiagnosedLog narrowLog() { return support::simulatedLog(*support::simulatedArm(), 1, 0.3); }

/// The texts of the findings that name a mistake.
std::string namedIn(const Robot& robot, DiagnosedLog log) {
  std::string text;
  const Diagnosis diagnosis = diagnose(std::make_shared<const Robot>(robot), std::move(log));
  EXPECT_TRUE(diagnosis.correctable.empty()) << "a warning is not undone";
  for (const Finding& finding : diagnosis.findings) {
    EXPECT_NE(finding.severity, Finding::Severity::kRefuse) << finding.message;
    text += finding.message + "\n";
  }
  return text;
}

TEST(DescribedScore, OfTheRightInertials) {
  const support::ArmStatistics arm(describedArm(), narrowLog());
  const DescribedScore score = scoreDescribed(arm.columns, arm.motion, arm.effort, asLogged(4));
  EXPECT_LT(score.unexplained.maxCoeff(), 0.02);
  EXPECT_NEAR(score.slope(1), 1.0, 0.03);
  EXPECT_NEAR(score.slope(kDescribedElbow), 1.0, 0.03);
}

TEST(DescribedScore, FindsAFactorAndAnOffset) {
  DiagnosedLog log = narrowLog();
  log.windows.front().effort.col(kDescribedElbow) *= 2.0;
  const support::ArmStatistics arm(describedArm(), log);
  const DescribedScore score = scoreDescribed(arm.columns, arm.motion, arm.effort, asLogged(4));
  EXPECT_NEAR(score.slope(kDescribedElbow), 2.0, 0.06);
  EXPECT_GT(score.unexplained(kDescribedElbow), 0.2);
  EXPECT_LT(score.unexplained(1), 0.02);
}

TEST(DescribedScore, IsUnknownWithoutInertials) {
  const support::ArmStatistics arm(support::simulatedArm(), narrowLog());
  EXPECT_FALSE(scoreDescribed(arm.columns, arm.motion, arm.effort, asLogged(4)).known());
}

TEST(DescribedScore, ARightLogIsNotWarnedAbout) {
  EXPECT_EQ(namedIn(*describedArm(), narrowLog()), "");
}

TEST(DescribedScore, WrongInertialsNameNoMistake) {
  EXPECT_EQ(namedIn(*describedArm(0.6), narrowLog()), "");
}

TEST(DescribedScore, NamesTheFactorOfOneEffort) {
  DiagnosedLog log = narrowLog();
  log.windows.front().effort.col(kDescribedElbow) *= 0.5;
  EXPECT_EQ(namedIn(*support::simulatedArm(), log), "") << "the plain model explains that log";
  const std::string text = namedIn(*describedArm(), log);
  EXPECT_THAT(text, HasSubstr("the effort of elbow is 0.5"));
  EXPECT_THAT(text, HasSubstr("or that these inertials are wrong"));
}

// The description explains one joint of four then.
TEST(DescribedScore, NamesAZeroThatHidesMostJoints) {
  constexpr Eigen::Index kShoulder = 1;
  const auto named = [](Eigen::Index joint, double degrees) {
    DiagnosedLog log = support::simulatedLog(*support::simulatedArm(), 1, 0.2);
    log.windows.front().position.col(joint).array() += degrees * std::numbers::pi / 180.0;
    return namedIn(*describedArm(), std::move(log));
  };
  EXPECT_THAT(named(kShoulder, 30.0), HasSubstr("the zero position of shoulder is off by 30"));
  EXPECT_THAT(named(kDescribedElbow, -45.0), HasSubstr("the zero position of elbow is off by -4"));
}

// Multiplied by 1000, the effort of a joint with much friction leaves nothing for the description
// to explain.
TEST(DescribedScore, FrictionIsNoEvidenceForAFactor) {
  DiagnosedLog log = narrowLog();
  RawSignals& rows = log.windows.front();
  const double size = rows.effort.col(3).norm() / std::sqrt(static_cast<double>(rows.rows()));
  rows.effort.col(3).array() += 5.0 * size * (rows.velocity.col(3).array() / 0.02).tanh();
  auto robot = std::make_shared<Robot>(*describedArm());
  robot->bodies[3].prior = inertialFromCenterOfMass(
      6.0, {0.03, -0.06, 0.025}, Eigen::Vector3d(0.04, 0.012, 0.04).asDiagonal());
  const support::ArmStatistics arm(robot, log);
  const auto score = [&](double factor) {
    EffortAssignment assignment = asLogged(4);
    assignment.factor(3) = factor;
    return scoreDescribed(arm.columns, arm.motion, arm.effort, assignment);
  };
  EXPECT_LT(score(1000.0).objective, score(1.0).objective - 1.0);
  EXPECT_LT(describedGain(score(1.0), score(1000.0)), 0.1);
}

TEST(DescribedScore, NamesAClockThatThePlainModelCannotSee) {
  DiagnosedLog log = narrowLog();
  log.windows.front().velocity.resize(0, 0);
  log.windows.front().time *= 0.6;
  log.duration_s *= 0.6;
  EXPECT_EQ(namedIn(*support::simulatedArm(), log), "");
  EXPECT_THAT(namedIn(*describedArm(), log),
              HasSubstr("the clock of the log is wrong by a factor 1."));
}

TEST(DescribedScore, ContradictsTheSignOfAnEffort) {
  TriedHypothesis tried;
  tried.mistake = {Mistake::Kind::kEffortSign, {1}};
  tried.gain = 2.4;
  tried.folds = kDiagnosisFolds;
  tried.unexplained = Eigen::Vector4d(0.01, 0.01, 0.01, 0.01);
  EXPECT_GT(tried.certainty(), kWarnCertainty);
  tried.described_before = Eigen::Vector4d(0.05, 0.08, 0.05, 0.05);
  tried.described_after = Eigen::Vector4d(0.05, 1.0, 0.05, 0.05);
  tried.described_gain = -2.5;
  EXPECT_EQ(tried.certainty(), 0.0);
}

TEST(DescribedScore, RefusesOnlyWhatThePlainModelRefusesByItself) {
  TriedHypothesis tried;
  tried.mistake = {Mistake::Kind::kEffortSign, {1}};
  tried.gain = 2.4;
  tried.folds = kDiagnosisFolds;
  tried.unexplained = tried.described_after = Eigen::Vector4d(0.05, 0.05, 0.05, 0.05);
  tried.described_before = Eigen::Vector4d(0.05, 1.0, 0.05, 0.05);
  tried.described_gain = 5.0;
  EXPECT_TRUE(tried.restsOnDescription());
  EXPECT_EQ(tried.certainty(), 5.0);
  EXPECT_FALSE(tried.mayRefuse());
  tried.gain = 3.1;
  EXPECT_TRUE(tried.mayRefuse());
  tried.described_after(1) = 0.2;  // the description does not explain that joint either
  EXPECT_FALSE(tried.restsOnDescription());
}

}  // namespace
}  // namespace dynid
