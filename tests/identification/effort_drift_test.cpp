#include "dynid/identification/effort_drift.h"

#include "dynid/identification/identify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/simulated_log.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// 0.4 times the rms effort in 30 s. The halves of the log differ too little to be named.
TEST(EffortDrift, OfOneJointIsAWarningAndAReservation) {
  const SimulatedArm arm("effort_drift");
  SimulationOptions simulation;
  simulation.motion.duration_s = 30.0;
  simulation.rate_hz = 100.0;
  simulation.effort_noise_relative = 0.02;
  const std::filesystem::path log = arm.log("log.h5", simulation);
  const Identification right = identify(arm.robot, {{log, ""}}, {});
  EXPECT_THAT(right.model.status.reservations, Not(Contains(HasSubstr("drifts"))));
  double change = 0.0;
  changeRows(log, "effort", [&](Eigen::MatrixXd& effort) {
    change = 0.4 * std::sqrt(effort.col(2).squaredNorm() / static_cast<double>(effort.rows()));
    effort.col(2) += Eigen::VectorXd::LinSpaced(effort.rows(), 0.0, change);
  });
  const Identification drifting = identify(arm.robot, {{log, ""}}, {});
  const std::vector<Finding>& findings = drifting.audits.front();
  const auto found = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.code == "effort-drift";
  });
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(found->joint, 2);
  EXPECT_NEAR(found->value, change, 0.15 * change) << "between the middles of the outer blocks";
  EXPECT_TRUE(drifting.model.status.usable);
  EXPECT_THAT(drifting.model.status.reservations,
              Contains(HasSubstr(arm.robot->drives[2].name + ": the effort drifts by")));
}

}  // namespace
}  // namespace dynid
