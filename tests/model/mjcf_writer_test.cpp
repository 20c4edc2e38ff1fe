// The exported MJCF, loaded by MuJoCo.
#include "dynid/model/mjcf_writer.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/mass_matrix.h"
#include "dynid/model/exports.h"
#include "dynid/model/file_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/exported_models.h"
#ifdef DYNID_HAVE_MUJOCO
#include "support/mujoco_dynamics.h"
#endif
#include <cmath>
#include <filesystem>

namespace dynid {
namespace {

using dynid::testing::describedModel;

Model dataset(const std::string& path) {
  return describedModel(
      std::make_shared<Robot>(loadRobot(std::string(DYNID_DATASETS_DIR) + "/" + path)));
}

#ifdef DYNID_HAVE_MUJOCO

using dynid::testing::MujocoDynamics;

/// Compares masses, mass matrix and joint torques of the loaded file with the rigid-body part of
/// the model.
void expectSameInMujoco(const Model& model) {
  const ExportedModel exported = exportMjcf(model);
  const MujocoDynamics mujoco(exported.text);
  ASSERT_TRUE(mujoco.loaded()) << mujoco.error();
  const Robot& robot = *model.robot;
  const Eigen::VectorXd pi = model.parameters.head(10 * robot.numBodies());
  const SimpleJoints simple = fitSimpleJoints(model);
  const int n = robot.numJoints();
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto draw = [&](double scale) -> Eigen::VectorXd {
    return Eigen::VectorXd::NullaryExpr(n, [&] { return scale * unit(random); });
  };
  for (int i = 0; i < 20; ++i) {
    const Eigen::VectorXd q = draw(2.0), dq = draw(2.0), ddq = draw(5.0);
    Eigen::VectorXd rigid = inverseDynamics(robot, pi, q, dq, ddq);
    const double tolerance = 1e-9 * std::max(1.0, rigid.cwiseAbs().maxCoeff());
    EXPECT_LT((mujoco.rigidTorque(robot, q, dq, ddq) - rigid).cwiseAbs().maxCoeff(), tolerance);
    rigid += simple.armature.cwiseProduct(ddq) + simple.damping.cwiseProduct(dq);
    EXPECT_LT((mujoco.passiveTorque(robot, q, dq, ddq) - rigid).cwiseAbs().maxCoeff(), tolerance);
  }
  for (int j = 0; j < n; ++j)
    EXPECT_EQ(mujoco.frictionLoss(robot.joints[j].name), simple.friction(j));
}

TEST(MjcfWriter, MujocoHasTheTorquesOfAnArm) { expectSameInMujoco(dynid::testing::armModel()); }
TEST(MjcfWriter, MujocoHasTheTorquesOfOtherRobots) {
  for (const char* path : {"panda/panda.urdf", "tiago/tiago.urdf", "humanoid/humanoid.urdf"}) {
    if (!std::filesystem::exists(std::string(DYNID_DATASETS_DIR) + "/" + path)) continue;
    SCOPED_TRACE(path);
    expectSameInMujoco(dataset(path));
  }
}
TEST(MjcfWriter, MujocoHasTheTorquesOfCoupledDrivesAndIgnoredJoints) {
  Model model = describedModel(dynid::testing::threeLink());
  expectSameInMujoco(model);
}
/// A hinge of 2 kg with a slide on it, both with springs; angles in degrees.
constexpr const char* kSpringArm = R"(<mujoco model="spring_arm">
  <compiler angle="degree"/>
  <default><joint stiffness="7" springref="5"/></default>
  <worldbody>
    <body name="upper">
      <inertial pos="0 0 0.1" mass="2" diaginertia="0.02 0.02 0.01"/>
      <joint name="hinge" type="hinge" axis="0 1 0"/>
      <body name="rod" pos="0 0 0.3">
        <inertial pos="0 0 0.1" mass="1" diaginertia="0.01 0.01 0.01"/>
        <joint name="slide" type="slide" axis="0 0 1" springref="0.05"/>
      </body>
    </body>
  </worldbody>
</mujoco>
)";

// tau = k q + offset is a spring about -offset/k: MuJoCo computes it from the exported file.
TEST(MjcfWriter, MujocoHasTheTorquesOfSprings) {
  const auto robot = std::make_shared<Robot>(parseRobot("", kSpringArm));
  Model model = describedModel(robot);
  dynid::testing::appendSpring(model, 0, 11.0);
  dynid::testing::appendSpring(model, 1, 300.0);
  for (const bool as_new_file : {false, true}) {
    SCOPED_TRACE(as_new_file);
    std::vector<std::string> changed;  // a new file calls the root link "world" otherwise
    const Model named = withFileNames(model, FileFormat::kMjcf, changed);
    const std::string text =
        as_new_file ? writeMjcf(named, fitSimpleJoints(named)) : exportMjcf(model).text;
    const MujocoDynamics mujoco(text);
    ASSERT_TRUE(mujoco.loaded()) << mujoco.error();
    Eigen::VectorXd q(2), dq(2), ddq(2);
    q << 0.7, -0.1;
    dq << -0.3, 0.2;
    ddq << 2.0, 1.0;
    const EffortsByCause parts =
        effortsByCause(model, q.transpose(), dq.transpose(), ddq.transpose());
    Eigen::VectorXd expected = parts.total().transpose();
    for (int j = 0; j < 2; ++j)  // frictionloss is not part of passiveTorque
      expected(j) -= mujoco.frictionLoss(robot->joints[j].name) * (dq(j) > 0.0 ? 1.0 : -1.0);
    EXPECT_LT((mujoco.passiveTorque(*robot, q, dq, ddq) - expected).cwiseAbs().maxCoeff(), 1e-9);
  }
  EXPECT_TRUE(exportMjcf(dynid::testing::withOperatingPoints(model)).cost.losses.empty());
}

TEST(MjcfWriter, ASpringThatTheModelDoesNotHaveIsSwitchedOff) {
  const auto robot = std::make_shared<Robot>(parseRobot("", kSpringArm));
  const MujocoDynamics mujoco(exportMjcf(describedModel(robot)).text);
  ASSERT_TRUE(mujoco.loaded()) << mujoco.error();
  EXPECT_EQ(mujoco.model().jnt_stiffness[0], 0.0);
  EXPECT_EQ(mujoco.model().jnt_stiffness[1], 0.0);
}

TEST(MjcfWriter, MimicJointsFollowByAnEqualityConstraint) {
  const Model model = dataset("dvrk_psm/dvrk_psm.toml");
  const MujocoDynamics mujoco(writeMjcf(model, fitSimpleJoints(model)));
  ASSERT_TRUE(mujoco.loaded()) << mujoco.error();
  int mimics = 0;
  for (const Body& body : model.robot->bodies)
    mimics += body.joint_name != model.robot->treeJoint(body.joint).name ? 1 : 0;
  EXPECT_EQ(mujoco.equalities(), mimics);
}

#else

TEST(MjcfWriter, MujocoHasTheTorquesOfAnArm) { GTEST_SKIP() << "libmujoco-dev is not installed"; }

#endif

TEST(MjcfWriter, PositionAndEffortLimitsAreReadBack) {
  Model model = dynid::testing::armModel();
  Robot robot = *model.robot;
  robot.joints[2].limits.effort = kInfinity;
  robot.joints[0].limits.lower = -kInfinity;
  robot.joints[1].limits.upper = kInfinity;
  model.robot = std::make_shared<Robot>(robot);
  const ExportedModel exported = exportMjcf(model);
  const Robot read = parseRobot("", exported.text);
  for (int j = 0; j < robot.numJoints(); ++j) {
    EXPECT_EQ(read.joints[j].limits.lower, robot.joints[j].limits.lower);
    EXPECT_EQ(read.joints[j].limits.upper, robot.joints[j].limits.upper);
    EXPECT_EQ(read.joints[j].limits.effort, robot.joints[j].limits.effort);
    EXPECT_EQ(std::isfinite(read.joints[j].limits.effort), j != 2);
  }
}

TEST(MjcfWriter, VelocityLimitsAreNamedAsLost) {
  const std::string sentence = "an MJCF has no place for the velocity limits of joint_1, ";
  Model model = dynid::testing::armModel();
  EXPECT_THAT(exportMjcf(model).dropped,
              ::testing::Contains(::testing::HasSubstr(sentence + "joint_2, joint_3")));
  Robot robot = *model.robot;
  for (Joint& joint : robot.joints) joint.limits.velocity = kInfinity;
  model.robot = std::make_shared<Robot>(robot);
  EXPECT_THAT(exportMjcf(model).dropped,
              ::testing::Not(::testing::Contains(::testing::HasSubstr("velocity limits"))));
}

TEST(MjcfWriter, AFloatingBaseOfUnknownMassIsRefused) {
  std::string toml = dynid::testing::kToml;
  toml.insert(toml.find("gravity"), "base = \"floating\"\n");
  const Model model =
      describedModel(std::make_shared<Robot>(parseRobot(toml, dynid::testing::kUrdf)));
  EXPECT_THROW(
      try { writeMjcf(model, fitSimpleJoints(model)); } catch (const InputError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("what its link \"base\" weighs"));
        throw;
      },
      InputError);
}

}  // namespace
}  // namespace dynid
