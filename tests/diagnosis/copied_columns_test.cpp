#include "dynid/diagnosis/copied_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;
using Severity = Finding::Severity;

class CopiedColumnsTest : public ::testing::Test {
 protected:
  const std::shared_ptr<const Robot> robot_ = support::simulatedArm();
  DiagnosedLog log_ = support::simulatedLog(*robot_);
  RawSignals& rows() { return log_.windows.front(); }
  Finding only() {
    const std::vector<Finding> findings = findCopiedColumns(*robot_, log_.windows);
    EXPECT_EQ(findings.size(), 1u);
    return findings.empty() ? Finding{} : findings.front();
  }
};

TEST_F(CopiedColumnsTest, MeasuredColumnsAreNoCopies) {
  EXPECT_TRUE(findCopiedColumns(*robot_, log_.windows).empty());
  rows().effort.col(2) = rows().effort.col(1);
  for (Eigen::Index r = 0; r < rows().rows(); r += 10)  // another reading now and then
    rows().effort(r, 2) *= 1.001;
  EXPECT_TRUE(findCopiedColumns(*robot_, log_.windows).empty());
}

TEST_F(CopiedColumnsTest, AnEffortColumnThatIsAnotherTimesAGearRatioIsRefused) {
  rows().effort.col(2) = -101.0 * rows().effort.col(1);
  rows().effort(7, 2) = std::nan("");
  const Finding finding = only();
  EXPECT_EQ(finding.severity, Severity::kRefuse);
  EXPECT_EQ(finding.joint, 2);
  EXPECT_EQ(finding.message,
            "the effort columns of shoulder and elbow hold the same values (up to a factor)");
  EXPECT_THAT(finding.remedy, HasSubstr("named twice in the import mapping"));
}

TEST_F(CopiedColumnsTest, CommandsInPlaceOfEffortsAreRefused) {
  for (auto signal : {&RawSignals::velocity, &RawSignals::position}) {
    const Eigen::Index n = rows().rows();
    rows().effort = rows().*signal;  // commands come three rows before what is measured
    rows().effort.topRows(n - 3) = (rows().*signal).bottomRows(n - 3);
    const Finding finding = only();
    EXPECT_EQ(finding.severity, Severity::kRefuse);
    EXPECT_THAT(finding.message,
                HasSubstr(signal == &RawSignals::velocity ? "commands of velocities, not efforts"
                                                          : "commands of positions, not efforts"));
    rows().effort.col(1) *= 2.0;  // friction or a spring, in part
    EXPECT_TRUE(findCopiedColumns(*robot_, log_.windows).empty());
  }
}

TEST_F(CopiedColumnsTest, AnEffortThatHoldsAPositionOrAVelocityIsRefused) {
  rows().effort.col(3) = rows().position.col(3);
  EXPECT_THAT(only().message, HasSubstr("the effort column of wrist holds the position of wrist"));
  rows().effort.col(3) = rows().velocity.col(0);
  EXPECT_THAT(only().message, HasSubstr("the effort column of wrist holds the velocity of turn"));
}

TEST_F(CopiedColumnsTest, EqualPositionsAreAWarning) {
  rows().position.col(2) = rows().position.col(1);
  const Finding finding = only();
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_EQ(finding.message, "the positions of shoulder and elbow are equal in every row");
}

TEST_F(CopiedColumnsTest, PositionsThatAreMultiplesAreAMotionLikeAnyOther) {
  rows().position.col(2) = 0.5 * rows().position.col(1);
  EXPECT_TRUE(findCopiedColumns(*robot_, log_.windows).empty());
}

TEST_F(CopiedColumnsTest, ConstantColumnsAreLeftToOtherChecks) {
  rows().effort.col(1).setConstant(3.7);
  rows().effort.col(2).setConstant(3.7);
  EXPECT_TRUE(findCopiedColumns(*robot_, log_.windows).empty());
}

}  // namespace
}  // namespace dynid
