#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/log_excerpt.h"
#include "dynid/diagnosis/read_diagnosed_log.h"
#include "dynid/diagnosis/tried_hypothesis.h"
#include "dynid/robot/load_robot.h"

#include <Eigen/Geometry>
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

// Steps of 20 degrees away from the described direction are worse than no tilt.
TEST(MotionHypotheses, FindATiltOfAFewDegrees) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  const DiagnosedLog log = support::simulatedLog(*robot);
  const Eigen::Vector3d axis = Eigen::Vector3d(1.0, 0.5, 0.0).normalized();
  for (const double degrees : {6.0, 8.0}) {
    auto tilted = std::make_shared<Robot>(*robot);
    tilted->gravity = Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, axis) * robot->gravity;
    const Diagnosis diagnosis = diagnose(tilted, log);
    ASSERT_FALSE(diagnosis.findings.empty()) << degrees;
    EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-gravity-direction");
    const Mistake& named = diagnosis.results->tried.front().mistake;
    ASSERT_EQ(named.kind, Mistake::Kind::kGravity);
    const Eigen::Vector3d found = named.direction.normalized();
    EXPECT_GT(found.dot(robot->gravity.normalized()), std::cos(0.05)) << degrees;
  }
}

TEST(MotionHypotheses, NameAPositionWithAGearRatio) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  for (const double factor : {2.0, 0.5}) {
    DiagnosedLog log = support::simulatedLog(*robot);
    log.windows.front().position.col(2) *= factor;
    log.windows.front().velocity.col(2) *= factor;
    const Diagnosis diagnosis = diagnose(robot, log);
    ASSERT_FALSE(diagnosis.findings.empty()) << factor;
    EXPECT_EQ(diagnosis.findings.front().severity, Finding::Severity::kRefuse);
    EXPECT_THAT(diagnosis.findings.front().message,
                testing::HasSubstr(
                    fmt::format("the position of elbow is {} times that of the joint", factor)));
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

/// A log of the arm whose shoulder and elbow have coupled drives, with the positions of the joints
/// or of the drives, and the efforts of the one or the other.
DiagnosedLog logOfCoupledArm(const Robot& coupled, bool drive_positions, bool drive_efforts) {
  DiagnosedLog log = support::simulatedLog(*support::simulatedArm());
  RawSignals& rows = log.windows.front();
  const auto friction = [](const Eigen::MatrixXd& v) -> Eigen::MatrixXd {
    return 0.4 * v.array() + 0.3 * (v.array() / 0.02).tanh();
  };
  const Eigen::MatrixXd to_drives = coupled.T.transpose().inverse();
  rows.effort =
      ((rows.effort - friction(rows.velocity)) * coupled.T + friction(rows.velocity * to_drives))
          .eval();
  if (!drive_efforts) rows.effort = (rows.effort * coupled.T.inverse()).eval();
  if (drive_positions) {
    rows.position = (rows.position * to_drives).eval();
    rows.velocity = (rows.velocity * to_drives).eval();
  }
  return log;
}

TEST(MotionHypotheses, NameTheSideOfATransmission) {
  for (const bool described_at_drives : {false, true}) {
    auto coupled = std::make_shared<Robot>(*support::simulatedArm());
    coupled->T(2, 1) = -0.8;
    coupled->measured_at_actuator[1] = coupled->measured_at_actuator[2] = described_at_drives;
    const auto findings = [&](bool drive_positions, bool drive_efforts) {
      return diagnose(coupled, logOfCoupledArm(*coupled, drive_positions, drive_efforts)).findings;
    };
    EXPECT_TRUE(findings(described_at_drives, described_at_drives).empty());
    const std::vector<Finding> other = findings(!described_at_drives, !described_at_drives);
    ASSERT_FALSE(other.empty());
    EXPECT_EQ(other.front().code,
              described_at_drives ? "diagnosis-joint-side" : "diagnosis-drive-side");
    EXPECT_EQ(other.front().severity, Finding::Severity::kRefuse);
    EXPECT_THAT(
        other.front().message,
        testing::HasSubstr("it seems that the columns of shoulder and elbow hold numbers "));
    EXPECT_THAT(other.front().remedy,
                testing::HasSubstr(described_at_drives ? "set measured = \"joint\""
                                                       : "set measured = \"actuator\""));
    const std::vector<Finding> mixed = findings(false, true);
    ASSERT_FALSE(mixed.empty());
    EXPECT_EQ(mixed.front().code, "diagnosis-mixed-sides");
    EXPECT_THAT(mixed.front().message,
                testing::HasSubstr("it seems that of shoulder and elbow the positions are those of "
                                   "the joints, and the efforts those of the actuators"));
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
