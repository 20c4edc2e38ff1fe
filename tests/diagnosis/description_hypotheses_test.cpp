#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/tried_hypothesis.h"
#include "dynid/robot/load_robot.h"

#include <Eigen/Geometry>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace dynid {
namespace {

// Steps of 20 degrees away from the described direction are worse than no tilt.
TEST(DescriptionHypotheses, FindATiltOfAFewDegrees) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  const DiagnosedLog log = support::simulatedLog(*robot);
  const Eigen::Vector3d axis = Eigen::Vector3d(1.0, 0.5, 0.0).normalized();
  for (const double degrees : {6.0, 8.0}) {
    auto tilted = std::make_shared<Robot>(*robot);
    tilted->gravity = Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, axis) * robot->gravity;
    const Diagnosis diagnosis = diagnose(tilted, log);
    ASSERT_FALSE(diagnosis.findings.empty()) << degrees;
    EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-gravity-direction");
    const Mistake& named = diagnosis.results->tried.front().mistake;
    ASSERT_EQ(named.kind, Mistake::Kind::kGravity);
    const Eigen::Vector3d found = named.direction.normalized();
    EXPECT_GT(found.dot(robot->gravity.normalized()), std::cos(0.05)) << degrees;
  }
}

/// A log of the arm whose shoulder and elbow have coupled drives, with the positions of the joints
/// or of the drives, and the efforts of the one or the other.
DiagnosedLog logOfCoupledArm(const Robot& coupled, bool drive_positions, bool drive_efforts) {
  DiagnosedLog log = support::simulatedLog(*support::simulatedArm());
  RawSignals& rows = log.windows.front();
  const auto friction = [](const Eigen::MatrixXd& v) -> Eigen::MatrixXd {
    return 0.4 * v.array() + 0.3 * (v.array() / 0.02).tanh();
  };
  const Eigen::MatrixXd to_drives = coupled.T.transpose().inverse();
  rows.effort =
      ((rows.effort - friction(rows.velocity)) * coupled.T + friction(rows.velocity * to_drives))
          .eval();
  if (!drive_efforts) rows.effort = (rows.effort * coupled.T.inverse()).eval();
  if (drive_positions) {
    rows.position = (rows.position * to_drives).eval();
    rows.velocity = (rows.velocity * to_drives).eval();
  }
  return log;
}

// Rods between joints at one point have no weight, so that they do not tell up from down. Upwards
// was named.
TEST(DescriptionHypotheses, GravityOfAGimbalPointsDownwards) {
  std::string urdf = "<robot name=\"gimbal\"><link name=\"l0\"/>";
  const char* axes[] = {"0 0 1", "0 1 0", "1 0 0"};
  for (int j = 1; j <= 3; ++j)
    urdf += fmt::format(
        "<link name=\"l{0}\"/><joint name=\"j{0}\" type=\"revolute\"><parent link=\"l{1}\"/>"
        "<child link=\"l{0}\"/><axis xyz=\"{2}\"/><limit lower=\"-3\" upper=\"3\" effort=\"9\" "
        "velocity=\"3\"/></joint>",
        j,
        j - 1,
        axes[j - 1]);
  const auto gimbal = std::make_shared<const Robot>(parseRobot("", urdf + "</robot>"));
  auto weightless = std::make_shared<Robot>(*gimbal);
  weightless->gravity.setZero();
  const Diagnosis diagnosis = diagnose(weightless, support::simulatedLog(*gimbal));
  ASSERT_FALSE(diagnosis.findings.empty());
  EXPECT_EQ(diagnosis.findings.front().code, "diagnosis-gravity-direction");
  EXPECT_LT(diagnosis.results->tried.front().mistake.direction.z(), -9.0);
}

TEST(DescriptionHypotheses, NameTheSideOfATransmission) {
  for (const bool described_at_drives : {false, true}) {
    auto coupled = std::make_shared<Robot>(*support::simulatedArm());
    coupled->T(2, 1) = -0.8;
    coupled->measured_at_actuator[1] = coupled->measured_at_actuator[2] = described_at_drives;
    const auto findings = [&](bool drive_positions, bool drive_efforts) {
      return diagnose(coupled, logOfCoupledArm(*coupled, drive_positions, drive_efforts)).findings;
    };
    EXPECT_TRUE(findings(described_at_drives, described_at_drives).empty());
    const std::vector<Finding> other = findings(!described_at_drives, !described_at_drives);
    ASSERT_FALSE(other.empty());
    EXPECT_EQ(other.front().code,
              described_at_drives ? "diagnosis-joint-side" : "diagnosis-drive-side");
    EXPECT_EQ(other.front().severity, Finding::Severity::kRefuse);
    EXPECT_THAT(
        other.front().message,
        testing::HasSubstr("it seems that the columns of shoulder and elbow hold numbers "));
    EXPECT_THAT(other.front().remedy,
                testing::HasSubstr(described_at_drives ? "set measured = \"joint\""
                                                       : "set measured = \"actuator\""));
    const std::vector<Finding> mixed = findings(false, true);
    ASSERT_FALSE(mixed.empty());
    EXPECT_EQ(mixed.front().code, "diagnosis-mixed-sides");
    EXPECT_THAT(mixed.front().message,
                testing::HasSubstr("it seems that of shoulder and elbow the positions are those of "
                                   "the joints, and the efforts those of the actuators"));
  }
}

// The wrong axis of a joint was named as a zero of 49 degrees of its neighbour, or not at all.
TEST(DescriptionHypotheses, NameTheJointWhoseAxisIsWrong) {
  const std::shared_ptr<const Robot> robot = support::simulatedArm();
  const DiagnosedLog log = support::simulatedLog(*robot);
  for (const int joint : {1, 2, 3})
    for (const int turned : {1, 2}) {
      if (joint == 3 && turned == 1) continue;  // along its link: it moves too little mass
      auto wrong = std::make_shared<Robot>(*robot);
      Eigen::Vector3d& axis = wrong->bodies[wrong->joints[joint].body].axis;
      const Eigen::Vector3d right = axis;
      for (int i = 0; i < 3; ++i) axis((i + turned) % 3) = right(i);
      const Diagnosis diagnosis = diagnose(wrong, log);
      ASSERT_FALSE(diagnosis.findings.empty()) << joint << ", " << turned;
      const Finding& finding = diagnosis.findings.front();
      EXPECT_EQ(finding.code, "diagnosis-joint-axis") << finding.message;
      EXPECT_EQ(finding.severity, Finding::Severity::kRefuse) << finding.message;
      EXPECT_EQ(finding.joint, joint);
      EXPECT_EQ(diagnosis.results->tried.front().mistake.direction, right);
      EXPECT_THAT(
          finding.remedy,
          testing::HasSubstr(right.x() == 1.0 ? "<axis xyz=\"1 0 0\"/>" : "<axis xyz=\"0 1 0\"/>"));
    }
}

}  // namespace
}  // namespace dynid
