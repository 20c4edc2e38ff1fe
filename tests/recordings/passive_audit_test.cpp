#include "dynid/recordings/passive_audit.h"

#include "dynid/simulation/simulate.h"

#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/closed_chains.h"
#include <filesystem>
#include <numbers>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;

/// A log of the four-bar linkage with its passive joints.
class PassiveAudit : public testing::Test {
 protected:
  PassiveAudit() {
    SimulationOptions simulation;
    simulation.passive = true;
    simulation.motion.duration_s = 5.0;
    simulate(robot_, randomTruth(robot_, 3), simulation, log_);
  }
  ~PassiveAudit() override { fs::remove(log_); }

  /// Changes the positions of all joints, or of the crank alone.
  void change(double factor, double shift, bool crank_alone) const {
    changeRows(log_, "position", [&](Eigen::MatrixXd& rows) {
      auto changed = rows.leftCols(crank_alone ? 1 : rows.cols());
      changed = (factor * changed.array() + shift).matrix().eval();
    });
  }
  std::vector<Finding> findings(const LogCorrection& correction) const {
    return auditPassiveJoints(robot_, log_, 0, 400, correction);
  }

  const Robot robot_ = support::fourBar();
  const fs::path log_ =
      fs::temp_directory_path() / ("dynid_passive_audit_" + std::to_string(getpid()) + ".h5");
};

TEST_F(PassiveAudit, ReadsTheDrivenJointsUnderTheAssumptionsAboutTheLog) {
  EXPECT_TRUE(findings({}).empty());
  change(-1.0, 0.3, true);
  EXPECT_FALSE(findings({}).empty());
  LogCorrection correction;
  correction.position_factor = Eigen::VectorXd::Constant(1, -1.0);
  correction.position_shift = Eigen::VectorXd::Constant(1, 0.3);
  EXPECT_TRUE(findings(correction).empty());
}

TEST_F(PassiveAudit, PassiveAnglesAreInDegreesWhereAllDrivenOnesAre) {
  constexpr double kDegrees = 180.0 / std::numbers::pi;
  change(kDegrees, 0.0, false);
  EXPECT_FALSE(findings({}).empty());
  LogCorrection correction;
  correction.position_factor = Eigen::VectorXd::Constant(1, 1.0 / kDegrees);
  EXPECT_TRUE(findings(correction).empty());
}

}  // namespace
}  // namespace dynid
