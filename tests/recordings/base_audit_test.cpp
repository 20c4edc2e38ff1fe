#include "dynid/recordings/base_audit.h"

#include "dynid/recordings/log_source.h"
#include "dynid/robot/root_body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/changed_rows.h"
#include "support/simulated_log.h"
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

namespace dynid {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A log of an arm on a base that moves.
class BaseAudit : public testing::Test {
 protected:
  BaseAudit() {
    Robot robot = *arm_.robot;
    robot.floating_base = true;
    floating_ = std::make_shared<const Robot>(withRootBody(robot));
  }

  std::filesystem::path logIn(const std::string& frame) const {
    std::filesystem::path log = arm_.log(frame + ".h5", SimulatedArm::shortLog());
    SimulationOptions simulation = SimulatedArm::shortLog();
    simulation.base_frame = frame;
    simulate(*floating_, randomTruth(*floating_, 3), simulation, log);
    return log;
  }

  static std::vector<Finding> ofBase(const std::shared_ptr<const Robot>& robot,
                                     const std::filesystem::path& log) {
    std::vector<Finding> found;
    const LogSource source(robot, {log, ""}, {});
    for (const Finding& finding : source.findings())
      if (finding.code.starts_with("base-")) found.push_back(finding);
    return found;
  }

  /// The finding about a log in the frame "hybrid" with changed rows of a channel.
  template <typename Change>
  Finding afterChange(const std::string& channel, const Change& change) const {
    const std::filesystem::path log = logIn("hybrid");
    changeRows(log, channel, change);
    const std::vector<Finding> found = ofBase(floating_, log);
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? Finding{} : found.front();
  }

  SimulatedArm arm_{"base_audit"};
  std::shared_ptr<const Robot> floating_;
};

TEST_F(BaseAudit, ATwistThatFollowsFromThePoseIsNotNamed) {
  for (const char* frame : {"body", "space", "hybrid"})
    EXPECT_THAT(ofBase(floating_, logIn(frame)), IsEmpty()) << frame;
}

TEST_F(BaseAudit, TheFrameThatTheTwistIsInIsNamed) {
  for (const std::string is : {"body", "space", "hybrid"})
    for (const std::string stated : {"body", "space", "hybrid"}) {
      if (is == stated) continue;
      SCOPED_TRACE(is + " stated as " + stated);
      Eigen::MatrixXd twist;
      changeRows(logIn(is), "base/twist", [&](Eigen::MatrixXd& rows) { twist = rows; });
      const std::filesystem::path log = logIn(stated);
      changeRows(log, "base/twist", [&](Eigen::MatrixXd& rows) { rows = twist; });
      const std::vector<Finding> found = ofBase(floating_, log);
      ASSERT_EQ(found.size(), 1U);
      EXPECT_EQ(found[0].code, "base-twist");
      EXPECT_EQ(found[0].severity, Finding::Severity::kRefuse);
      EXPECT_THAT(found[0].message,
                  HasSubstr("if the frame is \"" + is + "\" and not \"" + stated + "\""));
    }
}

TEST_F(BaseAudit, MistakesOfTheNumbersAreNamed) {
  EXPECT_THAT(afterChange("base/twist",
                          [](Eigen::MatrixXd& rows) {
                            const Eigen::MatrixXd v = rows.leftCols<3>();
                            rows.leftCols<3>() = rows.rightCols<3>().eval();
                            rows.rightCols<3>() = v;
                          })
                  .message,
              HasSubstr("if the linear and the angular velocity are exchanged"));
  EXPECT_THAT(
      afterChange("base/twist", [](Eigen::MatrixXd& rows) { rows.rightCols<3>() *= 57.29578; })
          .message,
      HasSubstr("if the angular velocity is in deg/s"));
  EXPECT_THAT(
      afterChange("base/pose", [](Eigen::MatrixXd& rows) { rows.leftCols<3>() *= 1000.0; }).message,
      HasSubstr("if the position of base/pose is in mm"));
  EXPECT_THAT(afterChange("base/pose",
                          [](Eigen::MatrixXd& rows) {
                            const Eigen::MatrixXd q = rows.rightCols<4>();
                            rows.col(3) = q.col(3);
                            rows.rightCols<3>() = q.leftCols<3>();
                          })
                  .message,
              HasSubstr("if the quaternions of base/pose are w x y z"));
  EXPECT_THAT(afterChange("base/pose", [](Eigen::MatrixXd& rows) { rows.middleCols<3>(3) *= -1.0; })
                  .message,
              HasSubstr("if the quaternions of base/pose turn the world into the base"));
}

TEST_F(BaseAudit, ATwistOfAnotherMotionIsAWarning) {
  const Finding finding = afterChange(
      "base/twist", [](Eigen::MatrixXd& rows) { rows = rows.colwise().reverse().eval(); });
  EXPECT_EQ(finding.code, "base-twist");
  EXPECT_EQ(finding.severity, Finding::Severity::kWarning);
  EXPECT_THAT(finding.message, HasSubstr("base/twist is not the derivative of base/pose"));
  EXPECT_THAT(finding.remedy, HasSubstr("of one body and one clock"));
}

TEST_F(BaseAudit, ASmallDifferenceThatNothingExplainsIsNotNamed) {
  const std::filesystem::path log = logIn("hybrid");
  changeRows(log, "base/twist", [](Eigen::MatrixXd& rows) { rows *= 1.2; });
  EXPECT_THAT(ofBase(floating_, log), IsEmpty());
}

TEST_F(BaseAudit, AFixedBaseThatTiltsIsRefused) {
  const std::vector<Finding> found = ofBase(arm_.robot, logIn("body"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "base-moves");
  EXPECT_EQ(found[0].severity, Finding::Severity::kRefuse) << found[0].message;
  EXPECT_THAT(found[0].message, HasSubstr("deg against gravity), but the description fixes it"));
}

TEST_F(BaseAudit, AFixedBaseThatTurnsAboutTheVerticalIsAWarning) {
  const std::filesystem::path log = logIn("body");
  changeRows(log, "base/pose", [](Eigen::MatrixXd& rows) {
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
      const double angle = 1.5 * static_cast<double>(i) / static_cast<double>(rows.rows());
      rows.row(i).tail<4>() << 0.0, 0.0, std::sin(0.5 * angle), std::cos(0.5 * angle);
    }
  });
  const std::vector<Finding> found = ofBase(arm_.robot, log);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Finding::Severity::kWarning);
  EXPECT_THAT(found[0].message, HasSubstr("the base turns by 85.8 deg in this log, but"));
}

TEST_F(BaseAudit, AFloatingBaseWithoutChannelsIsAWarning) {
  const std::vector<Finding> found =
      ofBase(floating_, arm_.log("plain.h5", SimulatedArm::shortLog()));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "base-unknown");
}

}  // namespace
}  // namespace dynid
