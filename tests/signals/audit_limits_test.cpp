#include "dynid/signals/audit.h"

#include <gtest/gtest.h>

#include "synthetic.h"
#include <algorithm>
#include <numbers>
#include <string>

namespace dynid {
namespace {

/// The finding of a code about a joint (-1: any) in a log of a robot with these limits.
std::vector<Finding> findingsOf(const RawSignals& log,
                                const AuditContext& limits,
                                const std::string& code,
                                int joint = -1) {
  std::vector<Finding> findings = auditLog({&log, 1}, {}, limits);
  std::erase_if(findings, [&](const Finding& finding) {
    return finding.code != code || (joint >= 0 && finding.joint != joint);
  });
  return findings;
}

AuditContext positionLimits(Eigen::Index joints) {
  AuditContext limits;
  limits.position_lower = Eigen::VectorXd::Constant(joints, -2.0);
  limits.position_upper = Eigen::VectorXd::Constant(joints, 2.0);
  return limits;
}

// Positions outside the limits that would not be in degrees, of one joint or of all (zeros half a
// turn off). No joint covers more than its limits allow.
TEST(AuditLimits, WrongZerosAreNotDegrees) {
  for (const int joints : {2, 3}) {
    SCOPED_TRACE(joints);
    RawSignals log = syntheticLog(6000, 0.005, joints);
    const AuditContext limits = positionLimits(joints);
    log.position.col(0).array() += 3.0;
    EXPECT_TRUE(findingsOf(log, limits, "position-degrees").empty());
    EXPECT_EQ(findingsOf(log, limits, "position-limit", 0).size(), 1u);
    log.position.rightCols(joints - 1).array() += 3.0;
    EXPECT_TRUE(findingsOf(log, limits, "position-degrees").empty());
    EXPECT_EQ(findingsOf(log, limits, "position-limit", 1).size(), 1u);
  }
}

// One of two joints in degrees is left to the diagnosis, which names it.
TEST(AuditLimits, OneJointOfTwoInDegreesDoesNotMeanAll) {
  RawSignals log = syntheticLog(6000, 0.005, 2);
  log.position.col(1) *= 180.0 / std::numbers::pi;
  log.velocity.col(1) *= 180.0 / std::numbers::pi;
  EXPECT_TRUE(findingsOf(log, positionLimits(2), "position-degrees").empty());
  log.position.col(0) *= 180.0 / std::numbers::pi;
  log.velocity.col(0) *= 180.0 / std::numbers::pi;
  EXPECT_EQ(findingsOf(log, positionLimits(2), "position-degrees").size(), 1u);
}

TEST(AuditLimits, SpeedsFarBelowTheLimitOfTheDescriptionAreNoted) {
  const RawSignals log = syntheticLog();
  AuditContext limits;
  limits.velocity_limit = log.velocity.cwiseAbs().colwise().maxCoeff().transpose() / 0.3;
  EXPECT_TRUE(findingsOf(log, limits, "speed-low").empty());
  limits.velocity_limit(1) *= 3.0;
  const std::vector<Finding> slow = findingsOf(log, limits, "speed-low");
  ASSERT_EQ(slow.size(), 1u);
  EXPECT_EQ(slow[0].joint, 1);
  EXPECT_EQ(slow[0].severity, Finding::Severity::kNote);
  EXPECT_NEAR(slow[0].value, 0.1, 0.005);
  limits.velocity_limit.setConstant(100.0);  // a placeholder
  EXPECT_TRUE(findingsOf(log, limits, "speed-low").empty());
}

TEST(AuditLimits, LargeEffortsBelowTheLimitOfTheDescriptionAreRight) {
  RawSignals log = syntheticLog();
  log.effort.col(1) *= 1e5 / log.effort.col(1).cwiseAbs().maxCoeff();  // a crane
  AuditContext limits;
  EXPECT_EQ(findingsOf(log, limits, "effort-unit", 1).size(), 1u);
  limits.effort_limit = Eigen::VectorXd::Constant(log.joints(), 6e5);
  EXPECT_TRUE(findingsOf(log, limits, "effort-unit").empty());
  limits.effort_limit(1) = 9e4;
  EXPECT_EQ(findingsOf(log, limits, "effort-unit", 1).size(), 1u);
}

}  // namespace
}  // namespace dynid
