#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/log_excerpt.h"
#include "dynid/diagnosis/tried_hypothesis.h"

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numbers>

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
