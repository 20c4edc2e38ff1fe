#include "dynid/equations/body_sensors.h"

#include "dynid/core/errors.h"
#include "dynid/identification/identify.h"
#include "dynid/logs/h5_output.h"
#include "dynid/logs/log_reader.h"
#include "dynid/robot/load_robot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "identification/recovered.h"
#include <filesystem>
#include <unistd.h>

namespace dynid {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class BodySensors : public testing::Test {
 protected:
  BodySensors() { fs::create_directories(folder_); }
  ~BodySensors() override { fs::remove_all(folder_); }

  static SimulationOptions shortLog() {
    SimulationOptions simulation;
    simulation.motion.duration_s = 8.0;
    simulation.rate_hz = 200.0;
    return simulation;
  }

  const std::shared_ptr<const Robot> robot_ = std::make_shared<const Robot>(
      loadRobot(fs::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml"));
  const SimulationTruth truth_ = randomTruth(*robot_, 3);
  const fs::path folder_ =
      fs::temp_directory_path() / ("dynid_body_sensors_" + std::to_string(getpid()));
  const fs::path log_ = folder_ / "log.h5";
};

// The forearm carries the wrist: its sensor measures the wrench on both, and the joints separate
// them.
TEST_F(BodySensors, ALinkWithSensorsGivesItsTenParameters) {
  SimulationOptions simulation = shortLog();
  simulation.bodies = {"forearm"};
  simulate(*robot_, truth_, simulation, log_);
  const Model model = identify(robot_, {{log_, ""}}, {}).model;
  EXPECT_TRUE(model.status.usable) << model.status.reason;
  // The masses of all bodies from the forearm outward are visible to the sensor.
  const int forearm = robot_->findLink("forearm").first;
  for (const char* entry : {"m", "mx", "my"}) {
    const int c = model.layout.find("forearm." + std::string(entry));
    ASSERT_GE(c, 0);
    EXPECT_NE(model.verdicts[c].identifiability, Identifiability::kNone) << entry;
  }
  // The wrench of the whole distal part is the true one: its mass and its base parameters.
  double mass = 0.0, expected = 0.0;
  for (int k = forearm; k < robot_->numBodies(); ++k) {
    mass += model.parameters(10 * k);
    expected += truth_.parameters(10 * k);
  }
  EXPECT_NEAR(mass, expected, 1e-4 * expected);
}

// The last link carries nothing: all ten of its parameters are identified individually.
TEST_F(BodySensors, TheLastLinkIsIdentifiedWithoutTheRestOfTheRobot) {
  SimulationOptions simulation = shortLog();
  simulation.bodies = {"flange"};
  simulate(*robot_, truth_, simulation, log_);
  const Model model = identify(robot_, {{log_, ""}}, {}).model;
  const int flange = robot_->findLink("flange").first;
  const Eigen::VectorXd expected = truth_.parameters.segment<10>(10 * flange);
  const Eigen::VectorXd found = model.parameters.segment<10>(10 * flange);
  EXPECT_LT((found - expected).norm(), 1e-4 * expected.norm()) << found.transpose();
  for (int c = 10 * flange; c < 10 * flange + 10; ++c)
    EXPECT_EQ(model.verdicts[c].identifiability, Identifiability::kAlone) << model.layout[c].name;
  EXPECT_GT(model.consistency.min_eigenvalue, 0.0);
  // Without the sensor its mass is part of a combination.
  simulation.bodies = {};
  simulate(*robot_, truth_, simulation, log_);
  const Model without = identify(robot_, {{log_, ""}}, {}).model;
  EXPECT_NE(without.verdicts[10 * flange].identifiability, Identifiability::kAlone);
}

// A wrist sensor between robot and tool: it determines centre of mass and inertia of a payload of
// which only the mass is given, whatever the noise of the joints.
TEST_F(BodySensors, AWristSensorFindsTheLoad) {
  SimulationOptions simulation = shortLog();
  simulation.bodies = {"tool0"};
  simulation.effort_noise_relative = 0.02;
  PayloadNote load;
  load.link = "tool0";
  load.mass = 1.7;
  load.com = Eigen::Vector3d(0.02, -0.03, 0.08);
  load.inertia = (Eigen::Matrix<double, 6, 1>() << 0.004, 0.0, 0.0, 0.005, 0.0, 0.003).finished();
  simulation.payload = load;
  simulate(*robot_, truth_, simulation, log_);
  const InertialParameters expected =
      inertialFromCenterOfMass(1.7, *load.com, Eigen::Vector3d(0.004, 0.005, 0.003).asDiagonal());
  for (const char* kind : {"inverse-dynamics", "energy"}) {
    SCOPED_TRACE(kind);
    IdentificationSettings settings;
    settings.equations = kind;
    const Model model = identify(robot_, {{log_, "tool0:1.7"}}, settings).model;
    EXPECT_TRUE(model.status.usable) << model.status.reason;
    ASSERT_EQ(model.payloads.size(), 1u);
    const Eigen::VectorXd found = model.payloads[0].parameters;
    EXPECT_LT((found - expected).norm(), 1e-4 * expected.norm()) << found.transpose();
    EXPECT_NEAR(found(9), expected(9), 1e-3 * expected(9));
  }
}

TEST_F(BodySensors, ASensorWithoutAStatedPayloadIsSaidToBeUnused) {
  SimulationOptions simulation = shortLog();
  simulation.bodies = {"tool0"};
  simulate(*robot_, truth_, simulation, log_);
  const Model model = identify(robot_, {{log_, ""}}, {}).model;
  EXPECT_TRUE(model.fit.per_sensor.empty());
  EXPECT_THAT(model.provenance.logs.at(0).notes,
              testing::Contains(HasSubstr(
                  "bodies/tool0: the sensors are not used: they measure what is behind tool0, and "
                  "the log states no payload there; if it carries one, add the group /payload with "
                  "link = \"tool0\" to the log")));
}

// A point mass at the sensor exerts no moment: the weight of channels without signal must stay
// bounded.
TEST_F(BodySensors, APointMassIsFoundThoughItHasNoMoment) {
  SimulationOptions simulation = shortLog();
  simulation.bodies = {"tool0"};
  simulation.effort_noise_relative = 0.02;
  simulation.payload = PayloadNote{"tool0", "", 1.7, std::nullopt, std::nullopt};
  simulate(*robot_, truth_, simulation, log_);
  const Model model = identify(robot_, {{log_, ""}}, {}).model;
  EXPECT_TRUE(model.status.usable) << model.status.reason;
  ASSERT_EQ(model.payloads.size(), 1u);
  const Eigen::VectorXd found = model.payloads[0].parameters;
  EXPECT_NEAR(found(0), 1.7, 1e-4);
  EXPECT_LT(found.segment<3>(1).norm() / 1.7, 1e-4);  // [m]
  EXPECT_LT(model.fit.relative_error, 0.03);
}

TEST_F(BodySensors, MissingChannelsAreNamed) {
  simulate(*robot_, truth_, shortLog(), log_);
  const LogReader reader(log_);
  const std::int64_t rows = reader.info().rows;
  const fs::path broken = folder_ / "broken.h5";
  {
    H5Output file(broken);
    file.createGroup("bodies");
    file.createGroup("bodies/flange");
    file.writeMatrix("bodies/flange/angular_velocity", Eigen::MatrixXd::Zero(rows, 3));
    file.writeMatrix("bodies/flange/linear_acceleration", Eigen::MatrixXd::Zero(rows, 2));
    file.writeMatrix("bodies/flange/wrench", Eigen::MatrixXd::Zero(rows, 6));
    file.finish();
  }
  const auto complaint = [&] {
    try {
      bodySensorsOf(*robot_, broken, rows);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(complaint(), HasSubstr("linear_acceleration: has 2 numbers per row; expected 3"));
  {
    H5Output file(broken);
    file.createGroup("bodies");
    file.createGroup("bodies/flange");
    file.writeMatrix("bodies/flange/angular_velocity", Eigen::MatrixXd::Zero(rows, 3));
    file.writeMatrix("bodies/flange/linear_acceleration", Eigen::MatrixXd::Zero(rows, 3));
    file.finish();
  }
  // A link with an inertial sensor only, as in ROS recordings, is left out: a body is identified
  // from both sensors.
  EXPECT_THAT(bodySensorsOf(*robot_, broken, rows), ::testing::IsEmpty());
  {
    H5Output file(broken);
    file.createGroup("bodies");
    file.createGroup("bodies/flange");
    file.writeMatrix("bodies/flange/angular_velocity", Eigen::MatrixXd::Zero(rows - 1, 3));
    file.writeMatrix("bodies/flange/linear_acceleration", Eigen::MatrixXd::Zero(rows, 3));
    file.writeMatrix("bodies/flange/wrench", Eigen::MatrixXd::Zero(rows, 6));
    file.finish();
  }
  EXPECT_THAT(complaint(), HasSubstr("rows; the log has"));
}

}  // namespace
}  // namespace dynid
