#include "dynid/diagnosis/position_ratio.h"

#include "dynid/core/errors.h"
#include "dynid/diagnosis/assumptions.h"
#include "dynid/diagnosis/channel_columns.h"
#include "dynid/diagnosis/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;

class PositionRatioTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const Robot> robot_ = support::simulatedArm();
  const DiagnosedLog right_ = support::simulatedLog(*robot_);

  /// A log whose positions (of one joint; -1: of all) are `ratio` times those of the joints.
  DiagnosedLog scaled(double ratio, Eigen::Index joint) const {
    DiagnosedLog log = right_;
    for (RawSignals& window : log.windows)
      for (Eigen::MatrixXd* motion : {&window.position, &window.velocity})
        for (Eigen::Index j = 0; j < motion->cols(); ++j)
          if (joint < 0 || j == joint) motion->col(j) *= ratio;
    return log;
  }

  /// What is found where positions of that ratio are read as degrees.
  PositionRatio found(double ratio, int joint, int threads = 1) const {
    const DiagnosedLog log = scaled(ratio * kDegree, joint);
    const LogExcerpt excerpt = excerptOf(log.windows, std::vector<bool>(robot_->numJoints()));
    return findPositionRatio(robot_,
                             excerpt,
                             {excerpt.q, excerpt.dq, excerpt.ddq},
                             joint < 0 ? std::vector<int>{} : std::vector{joint},
                             Eigen::VectorXd::Ones(robot_->numJoints()),
                             threads);
  }
};

TEST_F(PositionRatioTest, DegreesRemainWherePositionsAreInDegrees) {
  for (int joint = -1; joint < robot_->numJoints(); ++joint) {
    const PositionRatio ratio = found(kDegreesRatio, joint);
    EXPECT_TRUE(ratio.isDegrees()) << joint << ": " << ratio.ratio;
    EXPECT_LE(ratio.lowest, kDegreesRatio);
    EXPECT_GE(ratio.highest, kDegreesRatio);
  }
}

TEST_F(PositionRatioTest, GearRatiosOfAllJointsAreFound) {
  for (const double gear : {10.0, 30.0, 80.0, 100.0, 160.0}) {
    const PositionRatio ratio = found(gear, -1);
    EXPECT_NEAR(ratio.ratio, gear, 0.05 * gear);
    EXPECT_GT(ratio.gain, 0.6);
  }
}

TEST_F(PositionRatioTest, TheGearRatioOfOneJointIsFound) {
  for (const int joint : {1, 2})
    for (const double gear : {30.0, 100.0}) {
      const PositionRatio ratio = found(gear, joint);
      EXPECT_NEAR(ratio.ratio, gear, 0.05 * gear) << joint;
    }
}

// The effort of the last joint hardly depends on where it stands: any ratio explains it.
TEST_F(PositionRatioTest, RatiosThatExplainAsWellAreGiven) {
  for (const double gear : {50.0, 64.0}) {
    const PositionRatio ratio = found(gear, 3);
    if (!ratio.isDegrees()) continue;
    EXPECT_LE(ratio.lowest, gear);
    EXPECT_GE(ratio.highest, gear);
    EXPECT_LT(ratio.lowest, ratio.highest);
  }
}

TEST_F(PositionRatioTest, TheNumberOfThreadsDoesNotMatter) {
  const PositionRatio one = found(80.0, -1), several = found(80.0, -1, 3);
  EXPECT_EQ(one.ratio, several.ratio);
  EXPECT_EQ(one.gain, several.gain);
}

// All joints, and single joints that turn further than in radians.
TEST_F(PositionRatioTest, PositionsOfMotorsAreRefusedAndNotReadAsDegrees) {
  for (const int joint : {-1, 1, 2}) {
    const double gear = joint < 0 ? 80.0 : 100.0;
    const DiagnosedLog log = scaled(gear, joint);
    const Diagnosis diagnosis = diagnose(robot_, log);
    ASSERT_FALSE(diagnosis.findings.empty());
    const Finding& first = diagnosis.findings.front();
    EXPECT_EQ(first.code, "diagnosis-position-ratio");
    EXPECT_EQ(first.severity, Finding::Severity::kRefuse);
    EXPECT_THAT(first.message, HasSubstr("degrees do not explain the efforts"));
    EXPECT_THAT(first.message, HasSubstr("times that of the joint leaves"));
    EXPECT_NEAR(first.value, gear, 0.05 * gear);
    EXPECT_THAT(first.remedy, HasSubstr("set gear_ratio for"));
    EXPECT_TRUE(diagnosis.correctable.empty());
    try {
      findAssumptions(robot_, log);
      ADD_FAILURE() << "read as degrees";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("degrees do not explain the efforts"));
    }
  }
}

TEST_F(PositionRatioTest, DegreesOfOneJointAreUndone) {
  for (int joint = 0; joint < robot_->numJoints(); ++joint) {
    const DiagnosedLog log = scaled(kDegreesRatio, joint);
    const LogAssumptions assumptions = findAssumptions(robot_, log);
    ASSERT_EQ(assumptions.texts.size(), 1u) << joint;
    RawSignals read = log.windows.front();
    apply(assumptions.correction, read);
    EXPECT_TRUE(read.position.isApprox(right_.windows.front().position, 1e-12)) << joint;
  }
}

}  // namespace
}  // namespace dynid
