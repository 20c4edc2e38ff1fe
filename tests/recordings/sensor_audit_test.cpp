#include "dynid/recordings/sensor_audit.h"

#include "dynid/logs/h5_output.h"
#include "dynid/robot/load_robot.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace dynid {
namespace {

void write(H5Output& file, const std::string& link, bool inertial, bool wrench) {
  const std::string group = "bodies/" + link;
  file.createGroup(group);
  if (inertial) {
    file.writeMatrix(group + "/angular_velocity", Eigen::MatrixXd::Zero(4, 3));
    file.writeMatrix(group + "/linear_acceleration", Eigen::MatrixXd::Zero(4, 3));
  }
  if (wrench) file.writeMatrix(group + "/wrench", Eigen::MatrixXd::Zero(4, 6));
}

TEST(SensorAudit, NamesTheSensorsThatAreAlone) {
  const Robot robot = loadRobot(std::string(DYNID_DATASETS_DIR) + "/quickstart/arm.urdf");
  const std::filesystem::path log =
      std::filesystem::temp_directory_path() / ("sensor_audit_" + std::to_string(getpid()) + ".h5");
  {
    H5Output file(log);
    file.createGroup("bodies");
    write(file, robot.bodies[0].name, true, false);
    write(file, robot.bodies[1].name, true, true);
    write(file, robot.bodies[2].name, false, true);
    file.finish();
  }
  const std::vector<Finding> findings = auditLoneSensors(robot, log);
  std::filesystem::remove(log);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].severity, Finding::Severity::kWarning);
  EXPECT_EQ(findings[0].message,
            "the inertial sensor at " + robot.bodies[0].name +
                " is not used: a body is identified from a wrench and an inertial sensor "
                "together, and the log has no wrench sensor there");
  EXPECT_EQ(
      findings[1].remedy,
      "record the other sensor too (`imu` TOPIC=" + robot.bodies[2].name + " of dynid import)");
}

}  // namespace
}  // namespace dynid
