#include "dynid/identification/identify.h"
#include "dynid/prediction/predict.h"
#include "dynid/robot/load_robot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

namespace dynid {
namespace {

namespace fs = std::filesystem;

// R2 per column of a log, for unfiltered measurements and all samples.
Eigen::VectorXd scoreOn(const Model& model, const fs::path& log) {
  const Eigen::Index n = model.robot->numJoints();
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(n), squares = sum, errors = sum;
  double count = 0.0;
  predictLog(model, {log}, {}, [&](const PredictionBlock& block) {
    sum += block.recorded.colwise().sum().transpose();
    squares += block.recorded.colwise().squaredNorm().transpose();
    errors += (block.recorded - block.recorded_predicted).colwise().squaredNorm().transpose();
    count += static_cast<double>(block.recorded.rows());
  });
  return (1.0 - errors.array() / (squares.array() - sum.array().square() / count)).matrix();
}

struct Case {
  const char* robot;
  std::vector<const char*> train;
  const char* heldout;
  std::vector<double>
      floor;  // result of a plain least-squares fit on the same logs; 0 if it is not required
};

// Held-out files of real robots: the prediction is at least as good as that of a plain fit, and the
// model is physically consistent and certified.
TEST(RealLogs, HeldOutEffortIsPredictedAtLeastAsWellAsByAPlainFit) {
  const std::string data = DYNID_REAL_DATA_DIR;
  if (data.empty()) GTEST_SKIP() << "DYNID_REAL_DATA_DIR is empty: no logs of real robots";
  const std::vector<Case> cases = {
      {"ur10e", {"train_12harm30s"}, "heldout_12harm50s", {.950, .988, .991, .954, .904, .953}},
      {"lwa3", {"train_traj1"}, "heldout_traj2", {.929, .980, .983, 0, .941, .908, .918}},
      {"tiago", {"train_0_44s"}, "heldout_44_59s", {0, .867, .753, .877, .837, 0, 0, 0}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.robot);
    const fs::path folder = fs::path(data) / c.robot;
    const fs::path description =
        fs::path(DYNID_DATASETS_DIR) / c.robot / (std::string(c.robot) + ".toml");
    std::vector<LogInput> logs;
    for (const char* log : c.train) logs.push_back({folder / (std::string(log) + ".h5"), ""});
    const Identification result =
        identify(std::make_shared<const Robot>(loadRobot(description)), logs, {});
    EXPECT_TRUE(result.model.status.usable) << result.model.status.reason;
    EXPECT_LT(result.model.consistency.relative_duality_gap, 1e-8);
    EXPECT_GT(result.model.consistency.min_eigenvalue, 0.0);
    const Eigen::VectorXd r2 = scoreOn(result.model, folder / (std::string(c.heldout) + ".h5"));
    for (size_t j = 0; j < c.floor.size(); ++j)
      if (c.floor[j] > 0.0) {
        EXPECT_GE(r2(static_cast<Eigen::Index>(j)), c.floor[j] - 0.001) << "joint " << j + 1;
      }
  }
}

// Joints whose currents consist of rounding and stiction are reported.
TEST(RealLogs, NamesTheJointsThatALogCannotIdentify) {
  const std::string data = DYNID_REAL_DATA_DIR;
  if (data.empty()) GTEST_SKIP() << "DYNID_REAL_DATA_DIR is empty: no logs of real robots";
  const Identification result =
      identify(std::make_shared<const Robot>(
                   loadRobot(fs::path(DYNID_DATASETS_DIR) / "tiago" / "tiago.toml")),
               {{fs::path(data) / "tiago" / "train_0_44s.h5", ""}},
               {});
  EXPECT_THAT(
      result.model.status.reservations,
      ::testing::Contains(::testing::AllOf(::testing::HasSubstr("not identifiable from these logs"),
                                           ::testing::HasSubstr("arm_6_joint"),
                                           ::testing::Not(::testing::HasSubstr("arm_4_joint")))));
}

// A known payload determines the scale of unknown drive gains: they are close to those in the
// manufacturer's controller.
TEST(RealLogs, DriveGainsFollowFromAKnownLoad) {
  const std::string data = DYNID_REAL_DATA_DIR;
  if (data.empty()) GTEST_SKIP() << "DYNID_REAL_DATA_DIR is empty: no logs of real robots";
  const fs::path folder = fs::path(data) / "ur10e";
  auto robot = loadRobot(fs::path(DYNID_DATASETS_DIR) / "ur10e" / "ur10e.toml");
  const std::vector<double> described = {12.0, 11.976, 9.838, 10.764};
  for (Drive& drive : robot.drives) drive.identify_gain = true;
  const Identification result = identify(std::make_shared<const Robot>(robot),
                                         {{folder / "train_14harm50s.h5", ""},
                                          {folder / "train_12harm40s.h5", ""},
                                          {folder / "train_load2805g_14harm50s.h5", ""}},
                                         {});
  ASSERT_TRUE(result.model.scale_known);
  for (size_t a = 0; a < described.size(); ++a)
    EXPECT_NEAR(result.model.drive_gains(a) / described[a], 1.0, 0.1);
}

// Logs of currents, and a URDF without masses or gains: every joint is explained, also the last
// one, which feels its own friction and little else.
TEST(RealLogs, EveryJointIsExplainedWithoutDriveGains) {
  const std::string data = DYNID_REAL_DATA_DIR;
  if (data.empty()) GTEST_SKIP() << "DYNID_REAL_DATA_DIR is empty: no logs of real robots";
  const std::vector<std::array<const char*, 3>> cases = {
      {"ur10e", "ur10e.urdf", "train_10harm20s.h5"},
      {"ur10e", "ur10e.urdf", "train_12harm30s.h5"},
      {"ur10e", "ur10e.urdf", "train_8harm20s.h5"},
      {"lwa3", "lwa3.urdf", "train_traj1.h5"}};
  for (const auto& [robot, urdf, log] : cases) {
    const fs::path folder = fs::path(data) / robot;
    const Model model =
        identify(std::make_shared<const Robot>(loadRobot(folder / urdf)), {{folder / log, ""}}, {})
            .model;
    EXPECT_TRUE(model.status.usable) << log << ": " << model.status.reason;
    EXPECT_TRUE((model.drive_gains.array() > 0.1).all() && (model.drive_gains.array() < 10.0).all())
        << log << ": " << model.drive_gains.transpose();
    for (const ChannelFit& joint : model.fit.per_joint)
      EXPECT_GT(joint.cross_validated_r2, 0.9) << log;
  }
}

// Logs in which one joint moves at a time: alone each says which joints rest, all together identify
// the robot.
TEST(RealLogs, JointsThatDoNotMoveAreNamed) {
  const std::string data = DYNID_REAL_DATA_DIR;
  if (data.empty()) GTEST_SKIP() << "DYNID_REAL_DATA_DIR is empty: no logs of real robots";
  const auto robot = std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "ur10e" / "ur10e.toml"));
  std::vector<LogInput> all;
  for (int j = 1; j <= 6; ++j) {
    const fs::path log =
        fs::path(data) / "ur10e" / ("extra_jointwise_" + std::to_string(j) + ".h5");
    all.push_back({log, ""});
    if (j > 4) continue;  // the last two move the wrist a little
    const ModelStatus status = identify(robot, {{log, ""}}, {}).model.status;
    EXPECT_FALSE(status.usable) << log;
    EXPECT_NE(status.reason.find("5 of 6 joints do not move"), std::string::npos) << status.reason;
  }
  // The last log alone: joints that hardly move have their warning, though a few samples move.
  const Identification alone = identify(robot, {all.back()}, {});
  for (const Finding& finding : alone.audits.front())
    if (finding.code == "joint-still") {
      EXPECT_EQ(finding.severity, Finding::Severity::kWarning) << finding.message;
    }
  const Identification together = identify(robot, all, {});
  EXPECT_TRUE(together.model.status.usable);
  for (const std::vector<Finding>& findings : together.audits)
    for (const Finding& finding : findings)
      if (finding.code == "joint-still") {
        EXPECT_EQ(finding.severity, Finding::Severity::kNote) << finding.message;
      }
}

}  // namespace
}  // namespace dynid
