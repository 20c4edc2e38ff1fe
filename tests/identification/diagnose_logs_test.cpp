#include "dynid/identification/diagnose_logs.h"

#include "dynid/diagnosis/tried_hypothesis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace dynid {
namespace {

// Of the three efforts the second is 146 ms late.
bool namesTheLateEffort(double removed_s) {
  HypothesisResults results;
  results.effort_delay = Eigen::Vector3d(0.0, 0.146, 0.001);
  Diagnosis diagnosis;
  diagnosis.results = std::make_shared<const HypothesisResults>(results);
  diagnosis.findings = {
      {Finding::Severity::kWarning, "diagnosis-effort-late", -1, "late (second 146 ms)", 0.1, ""}};
  std::vector<Finding> audit;
  if (removed_s != 0.0)
    audit.push_back({Finding::Severity::kRepaired, "effort-delay", -1, "", removed_s, ""});
  const std::vector<Finding> all = withDiagnosis(audit, diagnosis);
  return std::any_of(all.begin(), all.end(), [](const Finding& finding) {
    return finding.code == "diagnosis-effort-late";
  });
}

TEST(WithDiagnosis, ADelayThatWasRemovedReplacesTheCoarseEstimate) {
  EXPECT_TRUE(namesTheLateEffort(0.0));
  EXPECT_FALSE(namesTheLateEffort(0.15));
  EXPECT_FALSE(namesTheLateEffort(-0.15));
}

TEST(WithDiagnosis, TheRemovalOfAnotherDelayDoesNotHideALateEffort) {
  EXPECT_TRUE(namesTheLateEffort(0.0013));
}

}  // namespace
}  // namespace dynid
