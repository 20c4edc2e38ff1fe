#include "dynid/recordings/held_joints_audit.h"

#include "dynid/logs/log_reader.h"
#include "dynid/robot/load_robot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/simulated_log.h"
#include <string>

namespace dynid {
namespace {

using ::testing::HasSubstr;

Robot held(const std::string& joint, double at) {
  RobotOptions options;
  options.exclude_joints = {joint};
  Robot robot = loadRobot(std::string(DYNID_DATASETS_DIR) + "/quickstart/arm.urdf", options);
  robot.ignored_joints[joint] = at;
  return robot;
}

TEST(HeldJointsAudit, NamesJointsThatMove) {
  const SimulatedArm arm("held_joint_moves");
  const auto log = arm.log("log.h5", SimulatedArm::shortLog());
  const std::string joint = arm.robot->joints[1].name;
  const std::vector<Finding> findings = auditHeldJoints(held(joint, 0.0), log, 0, 800);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Finding::Severity::kWarning);
  EXPECT_THAT(findings[0].message, HasSubstr(joint + " is held fixed at 0 rad, but moves over "));
  EXPECT_TRUE(auditHeldJoints(*arm.robot, log, 0, 800).empty());  // no joint is held
}

TEST(HeldJointsAudit, NamesTheValueOfTheLog) {
  const SimulatedArm arm("held_joint_elsewhere");
  const auto log = arm.log("log.h5", SimulatedArm::shortLog());
  const std::string joint = arm.robot->joints[1].name;
  // A single row does not move.
  RawBlock row;
  LogReader(log, {{joint}, {}}).read(0, 1, row);
  const double there = row.position(0, 0);
  const std::vector<Finding> findings = auditHeldJoints(held(joint, there + 1.0), log, 0, 1);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_NEAR(findings[0].value, -1.0, 1e-9);
  EXPECT_THAT(findings[0].message, HasSubstr("but the log has it at "));
  EXPECT_THAT(findings[0].remedy, HasSubstr("under [ignore] in the robot description"));
  const double turn = 2.0 * 3.14159265358979;
  EXPECT_TRUE(auditHeldJoints(held(joint, there + turn), log, 0, 1).empty());
}

TEST(HeldJointsAudit, ARowWithoutAPositionChangesNothing) {
  const SimulatedArm arm("held_joint_missing_row");
  const auto log = arm.log("log.h5", SimulatedArm::shortLog());
  const std::string joint = arm.robot->joints[1].name;
  loseRows(log, "position", 0, 1);
  const std::vector<Finding> findings = auditHeldJoints(held(joint, 0.0), log, 0, 800);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].code, "held-joint-moves");
}

}  // namespace
}  // namespace dynid
