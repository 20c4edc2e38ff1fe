#include "dynid/identification/diagnose_logs.h"

#include "dynid/core/errors.h"
#include "dynid/diagnosis/assumptions.h"
#include "dynid/diagnosis/tried_hypothesis.h"
#include "dynid/identification/identify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/simulated_log.h"
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

namespace dynid {
namespace {

// Of the three efforts the second is late.
// @param largest_alone  LogDelay::largest_alone
// @param tried          HypothesisResults::tried
bool namesTheLateEffort(double removed_s,
                        const Eigen::VectorXd& largest_alone = {},
                        const std::vector<TriedHypothesis>& tried = {},
                        double late_s = 0.146) {
  HypothesisResults results;
  results.tried = tried;
  results.effort_delay = Eigen::Vector3d(0.0, late_s, 0.001);
  Diagnosis diagnosis;
  diagnosis.results = std::make_shared<const HypothesisResults>(results);
  diagnosis.findings = {
      {Finding::Severity::kWarning, "diagnosis-effort-late", -1, "late (second 146 ms)", 0.1, ""}};
  std::vector<Finding> audit;
  if (removed_s != 0.0)
    audit.push_back({Finding::Severity::kRepaired, "effort-delay", -1, "", removed_s, ""});
  LogDelay delay;
  delay.largest_alone = largest_alone;
  const std::vector<Finding> all = withDiagnosis(audit, diagnosis, delay);
  return std::any_of(all.begin(), all.end(), [](const Finding& finding) {
    return finding.code == "diagnosis-effort-late";
  });
}

std::filesystem::path logWithAReversedEffort(const SimulatedArm& arm) {
  SimulationOptions simulation;
  simulation.motion.duration_s = 20.0;
  simulation.rate_hz = 100.0;
  simulation.effort_noise_relative = 0.02;
  std::filesystem::path log = arm.log("log.h5", simulation);
  changeRows(log, "effort", [](Eigen::MatrixXd& effort) { effort.col(1) *= -1.0; });
  return log;
}

// A dead encoder was named as a zero of 123 degrees of another joint, and not itself.
TEST(DiagnoseLogs, ARefusalNamesJointsWhosePositionNeverChanges) {
  const SimulatedArm arm("refusal_with_dead_encoder");
  const std::filesystem::path log = logWithAReversedEffort(arm);
  const auto refusal = [&]() -> std::string {
    try {
      identify(arm.robot, {{log, ""}}, {});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(), testing::HasSubstr("it seems that "));
  EXPECT_THAT(refusal(), testing::Not(testing::HasSubstr("never moves")));
  for (const char* channel : {"position", "velocity"})
    changeRows(log, channel, [](Eigen::MatrixXd& rows) { rows.col(4).setZero(); });
  EXPECT_THAT(refusal(),
              testing::AllOf(testing::HasSubstr("it seems that "),
                             testing::HasSubstr("the cause may also be this: " +
                                                arm.robot->drives[4].name + ": never moves")));
}

// Held at another position, it explained the efforts as a zero of 109 degrees of another joint, and
// with that assumed the model was usable.
TEST(DiagnoseLogs, AJointThatIsHeldElsewhereComesFirstAndNothingIsAssumed) {
  const SimulatedArm arm("refusal_with_held_joint");
  const std::filesystem::path log = logWithAReversedEffort(arm);
  changeRows(log, "position", [](Eigen::MatrixXd& q) { q.col(5).setConstant(1.9); });
  const std::string joint = arm.robot->joints[5].name;
  const auto refusal = [&](const std::string& held) -> std::string {
    RobotOptions options;
    options.exclude_joints = {held};
    const auto robot = std::make_shared<const Robot>(
        loadRobot(std::filesystem::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml", options));
    constexpr double kAll = std::numeric_limits<double>::infinity();
    EXPECT_EQ(findAssumptions(robot, {log}, -kAll, kAll).empty(), held == joint);
    try {
      identify(robot, {{log, ""}}, {});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(joint),
              testing::AllOf(testing::StartsWith(log.string() + ": " + joint +
                                                 " is held fixed at 0 rad, but the log has it at"),
                             testing::HasSubstr("give `exclude_joints` " + joint + "=1.9"),
                             testing::HasSubstr("what follows may come from that: it seems that"),
                             testing::Not(testing::HasSubstr("apply_diagnosis"))));
  EXPECT_THAT(refusal(joint + "=1.9"),
              testing::AllOf(testing::StartsWith(log.string() + ": it seems that"),
                             testing::HasSubstr("apply_diagnosis")));
}

TEST(WithDiagnosis, ADelayThatWasRemovedReplacesTheCoarseEstimate) {
  EXPECT_TRUE(namesTheLateEffort(0.0));
  EXPECT_FALSE(namesTheLateEffort(0.15));
  EXPECT_FALSE(namesTheLateEffort(-0.15));
}

TEST(WithDiagnosis, TheRemovalOfAnotherDelayDoesNotHideALateEffort) {
  EXPECT_TRUE(namesTheLateEffort(0.0013));
}

// Friction before sliding looks like a late effort to the plain model.
TEST(WithDiagnosis, ALateEffortThatTheFitExcludesIsNotNamed) {
  EXPECT_FALSE(namesTheLateEffort(0.0, Eigen::Vector3d(0.05, 0.012, 0.05)));
  EXPECT_TRUE(namesTheLateEffort(0.0, Eigen::Vector3d(0.005, 0.023, 0.005)));
  EXPECT_TRUE(namesTheLateEffort(0.0, Eigen::Vector3d(0.005, kInfinity, 0.005)));
  EXPECT_FALSE(namesTheLateEffort(0.0, Eigen::Vector3d(0.005, 0.024, 0.005), {}, 0.037));
  EXPECT_TRUE(namesTheLateEffort(0.0, Eigen::Vector3d(0.005, 0.04, 0.005), {}, 0.037));
  TriedHypothesis later;  // than the fit searches
  later.mistake = {Mistake::Kind::kEffortDelay, {1}, 0.3};
  later.gain = 3.0;
  later.folds = 5;
  later.unexplained = Eigen::Vector3d::Constant(0.01);
  EXPECT_TRUE(namesTheLateEffort(0.0, Eigen::Vector3d::Constant(0.01), {later}));
}

}  // namespace
}  // namespace dynid
