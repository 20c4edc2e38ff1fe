#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/log_excerpt.h"
#include "dynid/diagnosis/read_diagnosed_log.h"
#include "dynid/diagnosis/tried_hypothesis.h"
#include "dynid/robot/load_robot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

namespace dynid {
namespace {

TEST(MotionHypotheses, NameAPositionWithAGearRatio) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  for (const auto& [joint, factor] :
       std::vector<std::pair<int, double>>{{2, 2.0}, {1, 1.25}, {1, 0.8}, {2, 0.5}}) {
    DiagnosedLog log = support::simulatedLog(*robot);
    log.windows.front().position.col(joint) *= factor;
    log.windows.front().velocity.col(joint) *= factor;
    const Diagnosis diagnosis = diagnose(robot, log);
    ASSERT_FALSE(diagnosis.findings.empty()) << factor;
    EXPECT_EQ(diagnosis.findings.front().severity, Finding::Severity::kRefuse);
    EXPECT_THAT(diagnosis.findings.front().message,
                testing::HasSubstr(fmt::format("the position of {} is {} times that of the joint",
                                               robot->joints[joint].name,
                                               factor)));
  }
}

/// The log with position and velocity of a joint late by whole samples of 10 ms.
DiagnosedLog positionLate(DiagnosedLog log, Eigen::Index joint, Eigen::Index samples) {
  RawSignals& rows = log.windows.front();
  const Eigen::Index kept = rows.rows() - samples;
  for (Eigen::MatrixXd* channel : {&rows.position, &rows.velocity})
    channel->col(joint).tail(kept) = channel->col(joint).head(kept).eval();
  return log;
}

// The delay of the effort that best explains a late shoulder leaves the elbow unexplained.
TEST(MotionHypotheses, NameTheJointWhosePositionIsLate) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  const DiagnosedLog right = support::simulatedLog(*robot);
  for (const int joint : {1, 2})
    for (const int samples : {8, 15}) {
      const Diagnosis diagnosis = diagnose(robot, positionLate(right, joint, samples));
      ASSERT_FALSE(diagnosis.findings.empty()) << joint << ", " << samples;
      EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-position-late");
      EXPECT_EQ(diagnosis.findings.front().joint, joint);
      EXPECT_NEAR(diagnosis.results->tried.front().mistake.value, 0.01 * samples, 0.005);
      EXPECT_TRUE(diagnosis.correctable.empty());
    }
}

TEST(MotionHypotheses, AnEarlyEffortIsNoLatePosition) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  DiagnosedLog log = support::simulatedLog(*robot);
  RawSignals& rows = log.windows.front();
  const Eigen::Index kept = rows.rows() - 3;
  rows.effort.col(1).head(kept) = rows.effort.col(1).tail(kept).eval();
  for (const Finding& finding : diagnose(robot, log).findings)
    EXPECT_NE(finding.code, "diagnosis-position-late") << finding.message;
}

// A joint that rests is not scored: with half the motion the wrist would seem to be explained.
TEST(MotionHypotheses, AFactorWithWhichAJointWouldRestExplainsNothing) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  DiagnosedLog log = support::simulatedLog(*robot);
  RawSignals& rows = log.windows.front();
  rows.position.col(3) *= 0.004;  // 8 mrad
  rows.velocity.col(3) *= 0.004;
  rows.effort.col(3) = 2.0 * (40.0 * rows.time.array()).sin() * (0.7 * rows.time.array()).cos();
  const Diagnosis diagnosis = diagnose(robot, log);
  ASSERT_TRUE(diagnosis.results);
  for (const TriedHypothesis& tried : diagnosis.results->tried)
    if (tried.mistake.kind == Mistake::Kind::kPositionScale &&
        tried.mistake.joints == std::vector<int>{3}) {
      EXPECT_GT(tried.unexplained(3), 0.5) << tried.mistake.value;
    }
}

// Starts of 30 degrees are further from small offsets than none is, and the gain hardly changes
// near the right value.
TEST(MotionHypotheses, FindZeroPositionsThatAreOffByAFewDegrees) {
  const std::filesystem::path folder = std::filesystem::path(DYNID_DATASETS_DIR) / "quickstart";
  const auto robot = std::make_shared<const Robot>(loadRobot(folder / "arm.toml"));
  for (const auto& [joint, degrees] :
       std::vector<std::pair<int, double>>{{1, 11.5}, {1, -17.2}, {2, 17.2}}) {
    DiagnosedLog log = readDiagnosedLog(*robot, folder / "train.h5");
    for (RawSignals& window : log.windows)
      window.position.col(joint).array() += degrees * std::numbers::pi / 180.0;
    const Diagnosis diagnosis = diagnose(robot, log);
    ASSERT_FALSE(diagnosis.findings.empty()) << joint << ", " << degrees;
    EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-position-zero") << degrees;
    EXPECT_EQ(diagnosis.findings.front().joint, joint) << degrees;
    const Mistake& named = diagnosis.results->tried.front().mistake;
    EXPECT_NEAR(named.value * 180.0 / std::numbers::pi, degrees, 0.7) << joint;
  }
}

// Columns of a text file have no unit: those of a slide and a rotary joint may be exchanged too.
TEST(MotionHypotheses, PositionsOfASlideAndARotaryJointMayBeExchanged) {
  const std::shared_ptr<const Robot> robot = support::scara();
  DiagnosedLog log = support::simulatedLog(*robot);
  RawSignals& rows = log.windows.front();
  for (Eigen::MatrixXd* channel : {&rows.position, &rows.velocity, &rows.acceleration})
    if (channel->size() > 0) channel->col(1).swap(channel->col(2));
  const Diagnosis diagnosis = diagnose(robot, log);
  ASSERT_FALSE(diagnosis.findings.empty());
  EXPECT_THAT(diagnosis.findings.front().message,
              testing::HasSubstr("the positions of second and slide are exchanged"));
}

// Jitter of the time stamps was called degrees, although no joint would move with that undone.
TEST(MotionHypotheses, PositionsThatWouldHardlyMoveAreNotInDegrees) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  for (const double size : {1.0, 3.0}) {
    DiagnosedLog log = support::simulatedLog(*robot, 1, size);
    log.windows.front().effort.col(1) *= -1.0;
    const Diagnosis diagnosis = diagnose(robot, log);
    ASSERT_TRUE(diagnosis.results);
    bool degrees = false;
    for (const TriedHypothesis& tried : diagnosis.results->tried)
      degrees |= tried.mistake.kind == Mistake::Kind::kPositionUnit && tried.mistake.value < 1.0;
    EXPECT_EQ(degrees, size > 2.0);
  }
}

}  // namespace
}  // namespace dynid
