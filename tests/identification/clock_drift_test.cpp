#include "dynid/identification/clock_drift.h"

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

const Finding* driftOf(const Identification& found) {
  const std::vector<Finding>& findings = found.audits.front();
  const auto drift = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.code == "clock-drift";
  });
  return drift == findings.end() ? nullptr : &*drift;
}

/// The effort of a clock that runs faster by this share.
void stretchTime(const std::filesystem::path& log, double share) {
  changeRows(log, "effort", [&](Eigen::MatrixXd& effort) {
    const Eigen::MatrixXd right = effort;
    for (Eigen::Index r = 0; r < effort.rows(); ++r) {
      const double at = (1.0 - share) * static_cast<double>(r);
      const auto before = static_cast<Eigen::Index>(at);
      const double part = at - static_cast<double>(before);
      effort.row(r) = (1.0 - part) * right.row(before) +
                      part * right.row(std::min(before + 1, effort.rows() - 1));
    }
  });
}

// 0.2 % in 40 s: a delay of 0 to 80 ms, of which 20 ms in the first and 60 ms in the second half.
// One constant delay was removed, and the model was usable.
TEST(ClockDrift, OfPositionsAndEffortsIsAWarningAndAReservation) {
  for (const double fundamental_hz : {0.025, 0.1}) {  // the second motion repeats itself
    const SimulatedArm arm("clock_drift");
    SimulationOptions simulation;
    simulation.motion.duration_s = 40.0;
    simulation.motion.fundamental_hz = fundamental_hz;
    simulation.motion.harmonics = static_cast<int>(std::lround(0.6 / fundamental_hz));
    simulation.rate_hz = 100.0;
    simulation.encoder_step = 1e-5;
    simulation.effort_noise_relative = 0.02;
    const std::filesystem::path log = arm.log("log.h5", simulation);
    const Identification right = identify(arm.robot, {{log, ""}}, {});
    EXPECT_EQ(driftOf(right), nullptr);
    EXPECT_THAT(right.model.status.reservations, Not(Contains(HasSubstr("clocks"))));
    stretchTime(log, 0.002);
    const Identification drifting = identify(arm.robot, {{log, ""}}, {});
    ASSERT_NE(driftOf(drifting), nullptr) << fundamental_hz;
    EXPECT_EQ(driftOf(drifting)->severity, Finding::Severity::kWarning);
    EXPECT_NEAR(driftOf(drifting)->value, 0.04, 0.01) << fundamental_hz;
    EXPECT_TRUE(drifting.model.status.usable);
    EXPECT_THAT(drifting.model.status.reservations,
                Contains(HasSubstr("positions and efforts have different clocks")));
  }
}

}  // namespace
}  // namespace dynid
