#include "dynid/recordings/closing_positions.h"

#include "dynid/recordings/passive_audit.h"
#include "dynid/simulation/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/closed_chains.h"
#include <cmath>
#include <filesystem>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;

class ClosingPositions : public testing::Test {
 protected:
  ClosingPositions() {
    for (Eigen::Index r = 0; r < positions_.rows(); ++r) {
      const double t = 0.1 * static_cast<double>(r);
      positions_.row(r) << 1.8 + 0.3 * std::sin(t), 1.3 + 0.25 * std::sin(1.7 * t + 0.4);
    }
  }
  std::vector<std::string> statements() const {
    std::vector<std::string> all;
    for (const PositionChange& change : changesThatClose(robot_, positions_))
      all.push_back(statementOf(change, robot_.logColumnNames()));
    return all;
  }

  const Robot robot_ = support::fiveBar();
  Eigen::MatrixXd positions_ = Eigen::MatrixXd(100, 2);
};

TEST_F(ClosingPositions, LoopsCloseAtPositionsOfTheRobot) {
  EXPECT_TRUE(loopsCloseAt(robot_, positions_));
}

TEST_F(ClosingPositions, AFewOutliersDoNotCount) {
  positions_.row(50) << -1.8, 1.3;
  positions_(60, 0) = std::nan("");
  EXPECT_TRUE(loopsCloseAt(robot_, positions_));
  positions_.topRows(10).col(0) *= -1.0;
  EXPECT_FALSE(loopsCloseAt(robot_, positions_));
}

TEST_F(ClosingPositions, AReversedSignIsAmongTheChangesThatClose) {
  for (const Eigen::Index j : {0, 1}) {
    positions_.col(j) *= -1.0;
    ASSERT_FALSE(loopsCloseAt(robot_, positions_));
    EXPECT_THAT(statements(),
                testing::ElementsAre("the position of " + robot_.joints[j].name +
                                     " has the opposite sign"));
    positions_.col(j) *= -1.0;
  }
}

TEST_F(ClosingPositions, AZeroThatIsOffByAQuarterOfATurnIsAmongTheChangesThatClose) {
  positions_.col(0).array() += 1.5707963267948966;
  ASSERT_FALSE(loopsCloseAt(robot_, positions_));
  EXPECT_THAT(statements(),
              Contains("the zero of the position of left_motor is off by 90 degrees"));
}

TEST_F(ClosingPositions, NothingIsNamedWhereNoSingleChangeCloses) {
  positions_ *= -1.0;
  positions_.array() += 0.4;
  EXPECT_THAT(statements(), testing::IsEmpty());
}

TEST_F(ClosingPositions, TheAuditNamesAReversedSign) {
  const fs::path log =
      fs::temp_directory_path() / ("dynid_closing_positions_" + std::to_string(getpid()) + ".h5");
  SimulationOptions simulation;
  simulation.motion.duration_s = 5.0;
  simulate(robot_, randomTruth(robot_, 3), simulation, log);
  EXPECT_TRUE(auditPassiveJoints(robot_, log, 0, 1000, {}).empty());
  changeRows(log, "position", [](Eigen::MatrixXd& rows) { rows.col(1) *= -1.0; });
  const std::vector<Finding> findings = auditPassiveJoints(robot_, log, 0, 1000, {});
  fs::remove(log);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "loops-open");
  EXPECT_THAT(
      findings[0].message,
      HasSubstr("it seems that the position of right_motor has the opposite sign: with that "
                "undone the loops of the robot close, which they do not in 100 %"));
}

}  // namespace
}  // namespace dynid
