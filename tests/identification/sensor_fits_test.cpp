#include "dynid/identification/sensor_fits.h"

#include "dynid/identification/identify.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/root_body.h"
#include "dynid/simulation/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;

class SensorFits : public ::testing::Test {
 protected:
  SensorFits() { fs::create_directories(folder_); }
  ~SensorFits() override { fs::remove_all(folder_); }

  static SimulationOptions noisyLog() {
    SimulationOptions simulation;
    simulation.motion.duration_s = 8.0;
    simulation.rate_hz = 200.0;
    simulation.effort_noise_relative = 0.02;
    return simulation;
  }

  /// Of a log with a force plate whose rows are changed.
  template <typename Change>
  Model ofPlate(const Change& change) const {
    SimulationOptions simulation = noisyLog();
    simulation.base_frame = "space";
    const Robot rooted = withRootBody(*robot_);
    simulate(rooted, randomTruth(rooted, 3), simulation, log_);
    changeRows(log_, "base/wrench", change);
    return identify(robot_, {{log_, ""}}, {}).model;
  }

  /// Of a log with a wrist sensor that carries a payload.
  template <typename Change>
  Model ofWrist(const Change& change) const {
    SimulationOptions simulation = noisyLog();
    simulation.bodies = {"tool0"};
    simulation.payload =
        PayloadNote{"tool0", "", 1.7, Eigen::Vector3d(0.02, -0.03, 0.08), std::nullopt};
    simulate(*robot_, randomTruth(*robot_, 3), simulation, log_);
    changeRows(log_, "bodies/tool0/wrench", change);
    return identify(robot_, {{log_, ""}}, {}).model;
  }

  const std::shared_ptr<const Robot> robot_ = std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  const fs::path folder_ =
      fs::temp_directory_path() / ("dynid_sensor_fits_" + std::to_string(getpid()));
  const fs::path log_ = folder_ / "log.h5";
};

TEST_F(SensorFits, AForcePlateThatIsRightHasASmallError) {
  const Model model = ofPlate([](Eigen::MatrixXd&) {});
  ASSERT_EQ(model.fit.per_sensor.size(), 1U);
  const SensorFit& plate = model.fit.per_sensor[0];
  EXPECT_EQ(plate.channel, "base/wrench");
  EXPECT_LT(plate.force_error, 0.05);
  EXPECT_LT(plate.moment_error, 0.05);
  EXPECT_TRUE(std::isnan(plate.force_factor));
  EXPECT_GT(plate.samples, 100.0);
  EXPECT_TRUE(model.status.usable) << model.status.reason;
}

TEST_F(SensorFits, AReversedForcePlateIsNotUsableAndItsSignIsNamed) {
  const Model model = ofPlate([](Eigen::MatrixXd& rows) { rows *= -1.0; });
  ASSERT_EQ(model.fit.per_sensor.size(), 1U);
  EXPECT_GT(model.fit.per_sensor[0].force_error, 0.35);
  EXPECT_NEAR(model.fit.per_sensor[0].force_factor, -1.0, 0.05);
  EXPECT_NEAR(model.fit.per_sensor[0].moment_factor, -1.0, 0.05);
  EXPECT_FALSE(model.status.usable);
  EXPECT_THAT(model.status.reason, ::testing::StartsWith("base/wrench contradicts"));
}

TEST_F(SensorFits, AScaleThatTheMassesTakeUpIsFound) {
  const Model model = ofPlate([](Eigen::MatrixXd& rows) { rows *= 1.3; });
  ASSERT_EQ(model.fit.per_sensor.size(), 1U);
  EXPECT_LT(model.fit.per_sensor[0].force_error, 0.35);
  EXPECT_NEAR(model.fit.per_sensor[0].force_factor, 1.0 / 1.3, 0.05);
  EXPECT_FALSE(model.status.usable);
}

TEST_F(SensorFits, AnAxisThatMeasuresNothingShowsThoughItIsSmall) {
  const Model model = ofPlate([](Eigen::MatrixXd& rows) { rows.col(3).setZero(); });
  ASSERT_EQ(model.fit.per_sensor.size(), 1U);
  EXPECT_GT(model.fit.per_sensor[0].moment_error, 0.35);
  EXPECT_FALSE(model.status.usable);
}

TEST_F(SensorFits, AWristSensorWithTurnedAxesIsNotUsable) {
  const Model right = ofWrist([](Eigen::MatrixXd&) {});
  ASSERT_EQ(right.fit.per_sensor.size(), 1U);
  EXPECT_EQ(right.fit.per_sensor[0].channel, "bodies/tool0/wrench");
  EXPECT_LT(right.fit.per_sensor[0].force_error, 0.05);
  EXPECT_TRUE(std::isnan(right.fit.per_sensor[0].force_factor));
  EXPECT_TRUE(right.status.usable) << right.status.reason;
  const Model turned = ofWrist([](Eigen::MatrixXd& rows) {
    for (const int first : {0, 3}) {
      const Eigen::VectorXd x = rows.col(first);
      rows.col(first) = -rows.col(first + 1);
      rows.col(first + 1) = x;
    }
  });
  EXPECT_GT(turned.fit.per_sensor[0].force_error, 0.35);
  EXPECT_FALSE(turned.status.usable);
}

}  // namespace
}  // namespace dynid
