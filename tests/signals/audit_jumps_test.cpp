#include "dynid/core/text.h"
#include "dynid/signals/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic.h"
#include <random>

namespace dynid {
namespace {

using Eigen::Index;

/// The audit of a log of joints with limits that the synthetic motion does not reach.
std::vector<Finding> auditOf(const RawSignals& log) {
  AuditContext context;
  context.joint_names = {"hip", "knee", "ankle"};
  context.position_lower = Eigen::VectorXd::Constant(log.joints(), -2.0);
  context.position_upper = Eigen::VectorXd::Constant(log.joints(), 2.0);
  return auditLog({&log, 1}, {}, context);
}

/// @param joint  -1: any
const Finding* findingIn(const std::vector<Finding>& findings,
                         const std::string& code,
                         int joint = -1) {
  for (const Finding& finding : findings)
    if (finding.code == code && (joint < 0 || finding.joint == joint)) return &finding;
  return nullptr;
}

// A logger that holds a row for a while catches up afterwards.
TEST(AuditJumps, JumpsSayWhereAndCatchingUpIsNone) {
  RawSignals log = syntheticLog();
  const Index rows = log.rows();
  log.position.col(1).tail(rows / 2).array() += 0.1;
  const std::vector<Finding> findings = auditOf(log);
  const Finding* finding = findingIn(findings, "position-jump", 1);
  ASSERT_NE(finding, nullptr);
  const double at = log.time(rows - rows / 2) - log.time(0);
  EXPECT_THAT(finding->message, testing::HasSubstr("the position jumps once, by 0.1"));
  EXPECT_THAT(finding->message, testing::HasSubstr(" at " + toText(at, 5) + " s"));

  RawSignals held = syntheticLog();
  for (Index k = 3000; k < 3000 + 60; ++k) held.position.row(k) = held.position.row(2999);
  held.position.row(3059) += 0.05 * (held.position.row(3060) - held.position.row(2999));
  EXPECT_EQ(findingIn(auditOf(held), "position-jump", 0), nullptr);
}

// The beginning of another recording is named once. Positions that come back within a second are
// not another recording.
TEST(AuditJumps, ASeamIsNamedWithItsTimeAndReturningPositionsAreNone) {
  RawSignals joined = syntheticLog();
  joined.position.bottomRows(3000).array() -= 0.4;
  std::vector<Finding> findings = auditOf(joined);
  const Finding* seam = findingIn(findings, "joined-recordings", -1);
  ASSERT_NE(seam, nullptr);
  const double at = joined.time(joined.rows() - 3000) - joined.time(0);
  EXPECT_THAT(seam->message, testing::HasSubstr("at the same time, at " + toText(at, 5) + " s"));
  EXPECT_EQ(findingIn(findings, "position-jump", 0), nullptr);

  RawSignals away = syntheticLog();
  away.position.middleRows(3000, 20).array() += 0.5;
  findings = auditOf(away);
  EXPECT_EQ(findingIn(findings, "joined-recordings", -1), nullptr);
  EXPECT_NE(findingIn(findings, "position-jump", 0), nullptr);
}

TEST(AuditJumps, RowsThatAreWrittenTwiceAreNoJump) {
  const RawSignals log = syntheticLog();
  std::vector<Index> rows;
  for (Index k = 0; k < log.rows(); ++k) {
    rows.push_back(k);
    if (k == 3099)
      for (Index again = 3000; again < 3100; ++again) rows.push_back(again);
  }
  RawSignals twice = log;
  twice.time = log.time(rows).eval();
  for (Eigen::MatrixXd RawSignals::*channel :
       {&RawSignals::position, &RawSignals::velocity, &RawSignals::effort})
    if ((log.*channel).size() > 0) twice.*channel = (log.*channel)(rows, Eigen::all).eval();
  const std::vector<Finding> findings = auditOf(twice);
  for (int j = 0; j < 2; ++j) EXPECT_EQ(findingIn(findings, "position-jump", j), nullptr);
}

// Half of the joints' efforts jump at every reversal, and the others are mostly noise.
TEST(AuditJumps, JumpsOfFrictionAndNoiseAreNoSpikes) {
  RawSignals log = syntheticLog();
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  for (Index j = 0; j < log.joints(); ++j) {
    const double size = log.effort.col(j).cwiseAbs().maxCoeff();
    for (Index k = 1; k < log.rows(); ++k)
      log.effort(k, j) = j % 2 == 0 ? (log.position(k, j) > log.position(k - 1, j) ? size : -size)
                                    : size * normal(generator);
  }
  EXPECT_EQ(findingIn(auditOf(log), "effort-spikes"), nullptr);
}

}  // namespace
}  // namespace dynid
