#include "dynid/recordings/sensor_audit.h"

#include "dynid/logs/h5_output.h"
#include "dynid/recordings/log_source.h"
#include "dynid/robot/load_robot.h"

#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/simulated_log.h"
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

/// The findings about gaps of the sensor at tool0, after rows of its wrench were lost.
std::vector<Finding> afterLossOf(const std::vector<std::pair<int, int>>& holes) {
  const SimulatedArm arm("sensor_audit");
  SimulationOptions simulation = SimulatedArm::shortLog();
  simulation.bodies = {"tool0"};
  const std::filesystem::path log = arm.log("log.h5", simulation);
  for (const auto& [first, end] : holes) loseRows(log, "bodies/tool0/wrench", first, end);
  std::vector<Finding> found;
  const LogSource source(arm.robot, {log, ""}, {});
  for (const Finding& finding : source.findings())
    if (finding.code.starts_with("sensor-")) found.push_back(finding);
  return found;
}

TEST(SensorAudit, SaysHowMuchOfASensorIsLeftOut) {
  EXPECT_TRUE(afterLossOf({}).empty());
  const std::vector<Finding> half = afterLossOf({{401, 801}});
  ASSERT_EQ(half.size(), 1U);
  EXPECT_EQ(half[0].severity, Finding::Severity::kWarning);
  EXPECT_EQ(half[0].code, "sensor-not-finite");
  EXPECT_EQ(
      half[0].message,
      "bodies/tool0: 400 of 801 rows (49.9 %) hold NaN, Inf or a corrupt value; its equations "
      "leave out 49.9 % of the samples, where this lasts longer than 0.05 s");
  EXPECT_FALSE(half[0].remedy.empty());
  const std::vector<Finding> some = afterLossOf({{100, 140}, {300, 303}});
  ASSERT_EQ(some.size(), 1U);
  EXPECT_EQ(some[0].severity, Finding::Severity::kRepaired);
  EXPECT_NEAR(some[0].value, 40.0 / 801.0, 1e-9);
}

TEST(SensorAudit, ShortHolesAreSaidToBeInterpolated) {
  const std::vector<Finding> findings = afterLossOf({{100, 103}, {200, 202}});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Finding::Severity::kRepaired);
  EXPECT_EQ(findings[0].message,
            "bodies/tool0: 5 of 801 rows (0.624 %) hold NaN, Inf or a corrupt value; they were "
            "interpolated");
}

TEST(SensorAudit, ASensorWithoutSamplesIsRefused) {
  const std::vector<Finding> findings = afterLossOf({{0, 801}});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Finding::Severity::kRefuse);
  EXPECT_EQ(findings[0].code, "sensor-empty");
}

}  // namespace
}  // namespace dynid
