#include "dynid/diagnosis/held_positions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;

constexpr Eigen::Index kElbow = 2;

class HeldPositionsTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const Robot> robot_ = support::simulatedArm();
  DiagnosedLog log_ = support::simulatedLog(*robot_);
  RawSignals& rows() { return log_.windows.front(); }
  std::vector<Finding> findings() { return findHeldPositions(*robot_, log_.windows); }
  void hold(Eigen::Index begin, Eigen::Index size) {
    rows().position.col(kElbow).segment(begin, size).setConstant(rows().position(begin, kElbow));
  }
};

TEST_F(HeldPositionsTest, JointsThatMoveOrRestAreNotHeld) {
  EXPECT_TRUE(findings().empty());
  log_ = support::simulatedLog(*robot_, 1, 1.0, kElbow);  // on its brake
  rows().velocity.col(kElbow).setConstant(1e-3);          // an offset of the sensor
  EXPECT_TRUE(findings().empty());
}

// The position of a resting joint continues where it was.
TEST_F(HeldPositionsTest, AJointThatRestsForAWhileIsNotHeld) {
  const Eigen::VectorXd moved = rows().position.col(kElbow);
  hold(1000, 500);
  rows().position.col(kElbow).tail(1500) = moved.segment(1000, 1500);
  rows().velocity.col(kElbow).segment(1000, 500).setZero();
  EXPECT_TRUE(findings().empty());
}

TEST_F(HeldPositionsTest, AStuckEncoderThatJumpsIsNamed) {
  hold(1000, 500);
  rows().velocity.col(kElbow).segment(1000, 500).setZero();
  ASSERT_EQ(findings().size(), 1u);
  const Finding finding = findings().front();
  EXPECT_EQ(finding.code, "raw-position-held");
  EXPECT_EQ(finding.joint, kElbow);
  EXPECT_EQ(finding.severity, Finding::Severity::kWarning);
  EXPECT_THAT(finding.message, HasSubstr("from 10 s to 14.99 s, and then jumps by"));
}

TEST_F(HeldPositionsTest, AnEncoderThatStopsUntilTheEndOfTheLogIsNamed) {
  Eigen::Index fast = 0;
  rows().velocity.col(kElbow).segment(1400, 300).cwiseAbs().maxCoeff(&fast);
  hold(1400 + fast, 1600 - fast);
  rows().velocity.resize(0, 0);
  ASSERT_EQ(findings().size(), 1u);
  EXPECT_EQ(findings().front().joint, kElbow);
  EXPECT_THAT(findings().front().message,
              HasSubstr("s to 29.99 s, the end of the log, and stops there from one row"));
}

TEST_F(HeldPositionsTest, AJointThatBrakesAndRestsUntilTheEndIsNotHeld) {
  Eigen::Index fast = 0;
  const double step = 0.01 * rows().velocity.col(kElbow).segment(1400, 300).maxCoeff(&fast);
  double speed = 1.0;
  for (Eigen::Index r = 1401 + fast; r < rows().rows(); ++r) {
    speed = std::max(0.0, speed - 0.1);
    rows().position(r, kElbow) = rows().position(r - 1, kElbow) + speed * step;
  }
  rows().velocity.resize(0, 0);
  EXPECT_TRUE(findings().empty());
}

// Another clock of the log: the position is interpolated back, without a jump.
TEST_F(HeldPositionsTest, AStuckEncoderWhoseVelocityMovesIsNamed) {
  hold(1000, 500);
  rows().position.col(kElbow).segment(1499, 301) =
      Eigen::VectorXd::LinSpaced(301, rows().position(1000, kElbow), rows().position(1799, kElbow));
  ASSERT_EQ(findings().size(), 1u);
  EXPECT_THAT(findings().front().message, HasSubstr("the logged velocity says that the joint mov"));
}

// Velocities in steps of 0.0098 rad/s without a zero: a resting joint has half a step.
TEST_F(HeldPositionsTest, ARestingJointWhoseVelocityHasNoZeroIsNotHeld) {
  constexpr Eigen::Index kRest = 2700;
  constexpr double kSlower = 0.02;
  auto position = rows().position.col(kElbow);
  auto velocity = rows().velocity.col(kElbow);
  const double resting = position(kRest);
  position.array() = resting + kSlower * (position.array() - resting);
  position.head(kRest).setConstant(resting);
  velocity *= kSlower;
  velocity.head(kRest).setZero();
  velocity = (0.0098 * ((velocity / 0.0098).array().floor() + 0.5)).matrix().eval();
  EXPECT_TRUE(findings().empty());
}

// A source slower than the logger holds every value.
TEST_F(HeldPositionsTest, ASlowSourceIsNotHeld) {
  for (Eigen::Index r = 0; r < rows().rows(); ++r)
    rows().position(r, kElbow) = rows().position(r - r % 150, kElbow);
  rows().velocity.resize(0, 0);
  EXPECT_TRUE(findings().empty());
}

}  // namespace
}  // namespace dynid
