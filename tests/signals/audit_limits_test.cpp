#include "dynid/signals/audit.h"

#include <gtest/gtest.h>

#include "synthetic.h"
#include <algorithm>
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
