#include "dynid/recordings/open_reader.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/robot/load_robot.h"
#include "dynid/simulation/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <unistd.h>

namespace dynid {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// The arm of datasets/quickstart with a coupled wrist.
Robot coupledArm(const std::string& measured) {
  return parseRobot(
      "[[transmission]]\njoints = [\"joint_5\", \"joint_6\"]\nactuators = [\"motor_a\", "
      "\"motor_b\"]\nmatrix = [[1.0, 0.0], [0.5, 1.0]]\nmeasured = \"" +
          measured + "\"\n",
      readTextFile(std::string(DYNID_DATASETS_DIR) + "/quickstart/arm.urdf"));
}

TEST(OpenReader, NamesTheSideOfATransmissionThatALogHas) {
  const fs::path log =
      fs::temp_directory_path() / ("dynid_open_reader_" + std::to_string(getpid()) + ".h5");
  SimulationOptions simulation;
  simulation.motion.duration_s = 5.0;
  for (const std::string logged : {"joint", "actuator"}) {
    const std::string described = logged == "joint" ? "actuator" : "joint";
    const Robot robot = coupledArm(logged);
    simulate(robot, randomTruth(robot, 3), simulation, log);
    EXPECT_NO_THROW(openReader(robot, log, {}));
    try {
      openReader(coupledArm(described), log, {});
      ADD_FAILURE() << described;
    } catch (const InputError& error) {
      const std::string joints = "joint_5, joint_6", actuators = "motor_a, motor_b";
      EXPECT_THAT(error.what(),
                  HasSubstr("no columns for the " + described + "s " +
                            (described == "joint" ? joints : actuators)));
      EXPECT_THAT(
          error.what(),
          HasSubstr("but for the " + logged + "s " + (logged == "joint" ? joints : actuators)));
      EXPECT_THAT(error.what(), HasSubstr("set measured = \"" + logged + "\""));
    }
  }
  fs::remove(log);
}

}  // namespace
}  // namespace dynid
