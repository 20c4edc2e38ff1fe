#include "dynid/diagnosis/tiny_efforts.h"

#include "dynid/diagnosis/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;

Diagnosis diagnosedWith(const Eigen::Vector4d& factors) {
  const auto robot = support::simulatedArm();
  DiagnosedLog log = support::simulatedLog(*robot);
  log.windows.front().effort *= factors.asDiagonal();
  return diagnose(robot, std::move(log));
}

// Without this finding, the efforts of other joints seem to be wrong, or those of all.
TEST(TinyEfforts, AnEffortInAnotherUnitRefusesTheLogAndIsNamed) {
  for (const Eigen::Index joint : {1, 2})
    for (const double factor : {1e-4, 1e-6}) {
      Eigen::Vector4d factors = Eigen::Vector4d::Ones();
      factors(joint) = factor;
      const Diagnosis diagnosis = diagnosedWith(factors);
      ASSERT_EQ(diagnosis.findings.size(), 1u);
      const Finding& finding = diagnosis.findings.front();
      EXPECT_EQ(finding.code, "diagnosis-effort-tiny");
      EXPECT_EQ(finding.severity, Finding::Severity::kRefuse);
      EXPECT_EQ(finding.joint, joint);
      EXPECT_THAT(finding.message, HasSubstr(joint == 1 ? "shoulder" : "elbow"));
      EXPECT_THAT(finding.remedy, HasSubstr("`exclude_joints`"));
      EXPECT_TRUE(diagnosis.correctable.empty());
    }
}

TEST(TinyEfforts, AFactorThatAllEffortsShareIsNoneOfASingleJoint) {
  const Diagnosis diagnosis = diagnosedWith(Eigen::Vector4d::Constant(1e-5));
  ASSERT_EQ(diagnosis.findings.size(), 1u);
  EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-effort-unit");
  // So small torques are not even those on the side of the motors.
  EXPECT_EQ(diagnosis.findings.front().severity, Finding::Severity::kRefuse);
}

HypothesisScore scoreOf(const Eigen::VectorXd& ratios) {
  HypothesisScore fit;
  fit.rigid_ratio = ratios;
  fit.unexplained = Eigen::VectorXd::Constant(ratios.size(), 0.01);
  return fit;
}

TEST(TinyEfforts, AreSmallBesideTheOtherJointsAndBesideRods) {
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  EXPECT_EQ(tinyEfforts(scoreOf(Eigen::Vector4d(1.0, 5e-4, 1.0, 2.0)), names).size(), 1u);
  EXPECT_TRUE(tinyEfforts(scoreOf(Eigen::Vector4d(50.0, 5e-3, 50.0, 9.0)), names).empty());
  EXPECT_TRUE(tinyEfforts(scoreOf(Eigen::Vector4d(0.1, 5e-4, 0.01, 0.1)), names).empty());
  HypothesisScore at_rest = scoreOf(Eigen::Vector4d(1.0, 5e-4, 1.0, 2.0));
  at_rest.unexplained(1) = 0.0;
  EXPECT_TRUE(tinyEfforts(at_rest, names).empty());
}

}  // namespace
}  // namespace dynid
