#include "dynid/diagnosis/diagnosis.h"
#include "dynid/diagnosis/tried_hypothesis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulated_arm.h"
#include <memory>

namespace dynid {
namespace {

using ::testing::HasSubstr;
using Kind = Mistake::Kind;

// In slow motion the plain model explains the efforts nearly as well with centres of mass on the
// other side of the joints as with gravity in its direction.
constexpr double kSlow = 0.35;

/// The arm as described; its logs are of the arm under `gravity`.
struct MountedArm {
  std::shared_ptr<const Robot> robot = support::simulatedArm();

  Diagnosis diagnosed(const Eigen::Vector3d& gravity) const {
    Robot mounted = *robot;
    mounted.gravity = gravity;
    return diagnose(robot, support::simulatedLog(mounted, 1, kSlow));
  }
};

TEST(PhysicsHypotheses, NameGravityOfAnArmThatHangsUpsideDown) {
  const Diagnosis diagnosis = MountedArm().diagnosed({0.0, 0.0, 9.80665});
  ASSERT_EQ(diagnosis.findings.size(), 1u);
  const Finding& finding = diagnosis.findings.front();
  EXPECT_EQ(finding.code, "diagnosis-gravity-direction");
  EXPECT_EQ(finding.severity, Finding::Severity::kRefuse);
  EXPECT_THAT(finding.message, HasSubstr("gravity points along [0, 0, 9.81] m/s^2"));
  EXPECT_THAT(finding.message, HasSubstr("the zero position of a joint is off"));
  EXPECT_THAT(finding.message,
              HasSubstr("links that resemble homogeneous capsules between the "
                        "joints leave"));
  EXPECT_THAT(finding.remedy, HasSubstr("set gravity = [0, 0, 9.81]"));
  EXPECT_THAT(finding.remedy, HasSubstr("known to some degrees only"));
  const TriedHypothesis& best = diagnosis.results->tried.front();
  EXPECT_TRUE(best.restsOnPhysics());
  EXPECT_LT(best.folds, 4);  // the fit without physics does not name it
}

TEST(PhysicsHypotheses, NameMissingGravityTorques) {
  const Diagnosis diagnosis = MountedArm().diagnosed(Eigen::Vector3d::Zero());
  ASSERT_EQ(diagnosis.findings.size(), 1u);
  const Finding& finding = diagnosis.findings.front();
  EXPECT_EQ(finding.code, "diagnosis-no-gravity");
  EXPECT_EQ(finding.severity, Finding::Severity::kWarning);  // springs may carry the robot
  EXPECT_THAT(finding.message, HasSubstr("or that springs or counterweights carry the robot"));
  EXPECT_TRUE(diagnosis.results->tried.front().restsOnPhysics());
}

TEST(PhysicsHypotheses, AreNotTriedWhereGravityIsAsDescribed) {
  const MountedArm arm;
  const Diagnosis diagnosis = arm.diagnosed(arm.robot->gravity);
  for (const Finding& finding : diagnosis.findings) ADD_FAILURE() << finding.message;
  for (const TriedHypothesis& tried : diagnosis.results->tried) EXPECT_EQ(tried.physics_gain, 0.0);
}

// Only the description contradicts the log: it may be wrong itself.
TEST(PhysicsHypotheses, DoNotRefuseALogThatThePlainModelExplainsAsWell) {
  TriedHypothesis tried;
  tried.mistake.kind = Kind::kGravity;
  tried.gravity_gain = 1.0;
  tried.physics_gain = 4.0;
  EXPECT_EQ(tried.certainty(), 5.0);
  EXPECT_EQ(tried.warnsFrom(), kPhysicsCertainty);
  EXPECT_FALSE(tried.mayRefuse());
  tried.gain = 0.5;
  EXPECT_TRUE(tried.mayRefuse());
  tried.mistake.kind = Kind::kNoGravity;
  EXPECT_FALSE(tried.mayRefuse());
  tried.consistent_after =
      Eigen::Vector2d(0.01, 0.3);  // of the second effort too little is explained
  EXPECT_EQ(tried.certainty(), 0.0);
  tried.consistent_after(1) = 0.1;
  EXPECT_EQ(tried.certainty(), 5.0);
  tried.physics_gain = 0.4;
  EXPECT_EQ(tried.certainty(), 0.0);
}

}  // namespace
}  // namespace dynid
