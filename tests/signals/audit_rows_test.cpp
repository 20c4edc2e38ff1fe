#include "dynid/signals/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic.h"
#include <random>

namespace dynid {
namespace {

using Eigen::Index;

/// A log whose rows 2000 to 2009 were sampled regularly and received in one packet.
RawSignals logWithALatePacket() {
  RawSignals log = syntheticLog();
  std::mt19937 generator(1);
  std::normal_distribution<double> normal(0.0, 2e-4);
  for (double& t : log.time) t += normal(generator);
  for (Index k = 0; k < 10; ++k)
    log.time(2000 + k) = log.time(2010) - 1e-4 * static_cast<double>(10 - k);
  return log;
}

const Finding* gapsOf(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings)
    if (finding.code == "gaps") return &finding;
  return nullptr;
}

TEST(AuditRows, AGapThatOnlyTheStampsHaveIsNoFinding) {
  RawSignals log = logWithALatePacket();
  const SignalPlan plan = planSignals({&log, 1}, {});
  EXPECT_EQ(plan.clock.kind, ClockKind::kQuantised);
  EXPECT_LT(plan.clock.max_gap, log.time(2000) - log.time(1999));
  EXPECT_EQ(gapsOf(auditLog({&log, 1}, {}, {})), nullptr);
  log.time.tail(3000).array() += 2.0;
  const std::vector<Finding> findings = auditLog({&log, 1}, {}, {});
  const Finding* gaps = gapsOf(findings);
  ASSERT_NE(gaps, nullptr);
  EXPECT_THAT(gaps->message, testing::StartsWith("1 gaps longer than "));
  EXPECT_NEAR(gaps->value, 2.005, 1e-3);
}

}  // namespace
}  // namespace dynid
