#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/tried_hypothesis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <cmath>
#include <memory>

namespace dynid {
namespace {

using Kind = Mistake::Kind;

/// The log with the efforts of these joints late.
DiagnosedLog late(DiagnosedLog log, const std::vector<Eigen::Index>& joints, double seconds) {
  RawSignals& rows = log.windows.front();
  const Eigen::Index shift = std::lround(seconds / 0.01), kept = rows.rows() - shift;
  for (const Eigen::Index joint : joints)
    rows.effort.col(joint).tail(kept) = rows.effort.col(joint).head(kept).eval();
  return log;
}

// The delays that are usually tried end at half a second, and longer ones were named with that.
TEST(EffortHypotheses, NameADelayBeyondTheUsualRangeWithItsValue) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  const DiagnosedLog right = support::simulatedLog(*robot);
  for (const double seconds : {0.47, 0.6, 0.8}) {
    const Diagnosis diagnosis = diagnose(robot, late(right, {0, 1, 2, 3}, seconds));
    ASSERT_FALSE(diagnosis.findings.empty()) << seconds;
    EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-effort-late") << seconds;
    EXPECT_NEAR(diagnosis.results->tried.front().mistake.value, seconds, 0.02);
  }
  const Diagnosis diagnosis = diagnose(robot, late(right, {1}, 0.6));
  ASSERT_FALSE(diagnosis.findings.empty());
  EXPECT_EQ(diagnosis.findings.front().joint, 1);
  EXPECT_NEAR(diagnosis.results->tried.front().mistake.value, 0.6, 0.03);
}

// Another delay, scale or position explains the log better, or nothing does.
TEST(EffortHypotheses, ADelayAtTheEndOfTheRangeIsNoExplanation) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  const DiagnosedLog right = support::simulatedLog(*robot);
  for (const double seconds : {1.0, 1.02, 1.2}) {
    const Diagnosis diagnosis = diagnose(robot, late(right, {0, 1, 2, 3}, seconds));
    ASSERT_TRUE(diagnosis.results);
    for (const TriedHypothesis& tried : diagnosis.results->tried)
      if (tried.mistake.kind == Kind::kEffortDelay)
        EXPECT_LT(std::abs(tried.mistake.value), 0.985) << seconds;
  }
}

// Shifted together with it, the efforts of the other joints hide the delay of a single one: its
// gain was then 5.6 nat (shoulder 3.8).
TEST(EffortDelay, OfOneJointIsJudgedWithTheOthersHeld) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  for (const int joint : {1, 2}) {
    const Diagnosis diagnosis = diagnose(robot, late(support::simulatedLog(*robot), {joint}, 0.15));
    ASSERT_TRUE(diagnosis.results);
    EXPECT_NEAR(diagnosis.results->effort_delay(joint), 0.15, 0.003);
    EXPECT_GT(diagnosis.results->effort_delay_gain(joint), joint == 1 ? 4.3 : 6.2);
    ASSERT_FALSE(diagnosis.findings.empty());
    EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-effort-late");
  }
}

// Drives report percent or thousandths of their torque. As scales of single joints this was undone
// in part only.
TEST(EffortHypotheses, SharesOfUnequalLimitsAreNamed) {
  Robot limited = *support::simulatedArm();
  const Eigen::RowVector4d limits(20.0, 80.0, 40.0, 5.0);
  for (int j = 0; j < 4; ++j) limited.joints[j].limits.effort = limits(j);
  const auto robot = std::make_shared<const Robot>(limited);
  const DiagnosedLog right = support::simulatedLog(*robot);
  EXPECT_TRUE(diagnose(robot, right).findings.empty());
  for (const auto& [whole, name] : {std::pair(1.0, "are shares of the effort limits"),
                                    {100.0, "are percent of the effort limits"}}) {
    DiagnosedLog log = right;
    log.windows.front().effort.array().rowwise() *= whole / limits.array();
    const Diagnosis diagnosis = diagnose(robot, log);
    const auto named =
        std::find_if(diagnosis.findings.begin(), diagnosis.findings.end(), [](const auto& finding) {
          return finding.code == "diagnosis-effort-percent";
        });
    ASSERT_NE(named, diagnosis.findings.end()) << whole;
    EXPECT_THAT(named->message, ::testing::HasSubstr(name));
    const Mistake& mistake = diagnosis.results->tried.front().mistake;
    EXPECT_TRUE(correctionOf(mistake, *robot).effort_factor.isApprox(limits.transpose() / whole));
  }
}

TEST(EffortHypotheses, AScaleAtTheEndOfTheRangeIsNoExplanation) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  for (const double factor : {1e-6, 1e-5, 1e-4, 1e4, 1e5, 1e6})
    for (const Eigen::Index joint : {1, 2}) {
      DiagnosedLog log = support::simulatedLog(*robot);
      log.windows.front().effort.col(joint) *= factor;
      const Diagnosis diagnosis = diagnose(robot, log);
      ASSERT_TRUE(diagnosis.results);
      for (const TriedHypothesis& tried : diagnosis.results->tried)
        if (tried.mistake.kind == Kind::kEffortScale)
          EXPECT_LT(std::abs(std::log(tried.mistake.value)), std::log(3000.0)) << factor;
    }
}

TEST(EffortHypotheses, NameAScaleOfAThousand) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  DiagnosedLog log = support::simulatedLog(*robot);
  log.windows.front().effort.col(1) *= 1e3;
  const Diagnosis diagnosis = diagnose(robot, log);
  ASSERT_FALSE(diagnosis.correctable.empty());
  EXPECT_EQ(diagnosis.correctable.front().joints, std::vector<int>{1});
  EXPECT_NEAR(1e3 * diagnosis.correctable.front().value, 1.0, 0.2);
}

}  // namespace
}  // namespace dynid
