#include "dynid/identification/residual_bursts.h"

#include "dynid/identification/identify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/simulated_log.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <vector>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// A contact was silent in six of six simulated robots.
TEST(ResidualBursts, ATouchOfOneSecondIsAWarningAndAReservation) {
  const SimulatedArm arm("residual_bursts");
  SimulationOptions simulation;
  simulation.motion.duration_s = 30.0;
  simulation.rate_hz = 100.0;
  simulation.encoder_step = 1e-5;
  simulation.effort_noise_relative = 0.02;
  const std::filesystem::path log = arm.log("log.h5", simulation);
  const Identification right = identify(arm.robot, {{log, ""}}, {});
  EXPECT_THAT(right.model.status.reservations, Not(Contains(HasSubstr("do not follow"))));
  changeRows(log, "effort", [](Eigen::MatrixXd& effort) {
    for (Eigen::Index j = 0; j < 3; ++j) {
      const double rms =
          std::sqrt(effort.col(j).squaredNorm() / static_cast<double>(effort.rows()));
      effort.col(j).segment(1200, 100).array() += rms;
    }
  });
  const Identification touched = identify(arm.robot, {{log, ""}}, {});
  const std::vector<Finding>& findings = touched.audits.front();
  const auto found = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.code == "residual-burst";
  });
  ASSERT_NE(found, findings.end());
  double from = 0.0, to = 0.0;
  ASSERT_EQ(std::sscanf(found->message.c_str(), "from about %lf s to %lf s", &from, &to), 2);
  EXPECT_LT(from, 12.5);
  EXPECT_GT(to, 12.5);
  EXPECT_LT(to - from, 4.0);
  EXPECT_THAT(found->message, HasSubstr(arm.robot->drives[1].name));
  EXPECT_THAT(touched.model.status.reservations, Contains(HasSubstr("do not follow from the")));

  // The times are those of `from_s` and `to_s` wherever the used part begins.
  IdentificationSettings later;
  later.from_s = 6.0;
  const Identification part = identify(arm.robot, {{log, ""}}, later);
  const std::vector<Finding>& of_part = part.audits.front();
  const auto again = std::find_if(of_part.begin(), of_part.end(), [](const Finding& finding) {
    return finding.code == "residual-burst";
  });
  ASSERT_NE(again, of_part.end());
  ASSERT_EQ(std::sscanf(again->message.c_str(), "from about %lf s to %lf s", &from, &to), 2);
  EXPECT_LT(from, 12.5);
  EXPECT_GT(to, 12.5);
}

}  // namespace
}  // namespace dynid
