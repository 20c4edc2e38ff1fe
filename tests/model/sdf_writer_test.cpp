// The exported SDF, loaded by Gazebo's library.
#include "dynid/model/sdf_writer.h"

#include "dynid/model/exports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/exported_models.h"
#ifdef DYNID_HAVE_SDFORMAT
#include <sdf/sdf.hh>
#endif

namespace dynid {
namespace {

using dynid::testing::describedModel;

#ifdef DYNID_HAVE_SDFORMAT

std::string messages(const sdf::Errors& errors) {
  std::string text;
  for (const sdf::Error& error : errors) text += error.Message() + "\n";
  return text;
}

/// Compares links, masses, inertias, poses, axes and joints with those of the model.
void expectSameInSdformat(const Model& model) {
  const Robot& robot = *model.robot;
  sdf::Root root;
  const sdf::Errors errors = root.LoadSdfString(exportSdf(model).text);
  ASSERT_TRUE(errors.empty()) << messages(errors);
  sdf::Root with_drives;
  const sdf::Errors more =
      with_drives.LoadSdfString(exportSdf(model, DriveInertia::kRotorInertia).text);
  ASSERT_TRUE(more.empty()) << messages(more);
  const sdf::Model* loaded = root.Model();
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->Name(), robot.name);
  EXPECT_EQ(loaded->LinkCount(), robot.bodies.size() + 1);
  EXPECT_EQ(loaded->JointCount(), robot.bodies.size() + (robot.floating_base ? 0 : 1));
  for (int k = 0; k < robot.numBodies(); ++k) {
    const Body& body = robot.bodies[static_cast<size_t>(k)];
    const sdf::Link* link = loaded->LinkByName(body.name);
    ASSERT_NE(link, nullptr) << body.name;
    const CenterOfMassInertia expected = centerOfMassInertia(model.body(k));
    const auto& inertial = link->Inertial();
    EXPECT_DOUBLE_EQ(inertial.MassMatrix().Mass(), expected.mass);
    for (size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(inertial.Pose().Pos()[i], expected.com(static_cast<Eigen::Index>(i)), 1e-15)
          << body.name;
    const auto moi = inertial.Moi();
    for (int i = 0; i < 9; ++i)
      EXPECT_NEAR(moi(static_cast<size_t>(i / 3), static_cast<size_t>(i % 3)),
                  expected.inertia_about_com(i / 3, i % 3),
                  1e-15)
          << body.name;
    ignition::math::Pose3d pose;
    const std::string parent =
        body.parent < 0 ? robot.root_link : robot.bodies[static_cast<size_t>(body.parent)].name;
    EXPECT_TRUE(link->SemanticPose().Resolve(pose, parent).empty());
    for (size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(pose.Pos()[i], body.X_PJ.p(static_cast<Eigen::Index>(i)), 1e-12) << body.name;
    const ignition::math::Matrix3d R(pose.Rot());
    for (int i = 0; i < 9; ++i)
      EXPECT_NEAR(R(static_cast<size_t>(i / 3), static_cast<size_t>(i % 3)),
                  body.X_PJ.R(i / 3, i % 3),
                  1e-9)
          << body.name;
    const sdf::Joint* joint = loaded->JointByName(body.joint_name);
    ASSERT_NE(joint, nullptr) << body.joint_name;
    EXPECT_EQ(joint->Type(), body.prismatic ? sdf::JointType::PRISMATIC : sdf::JointType::REVOLUTE);
    EXPECT_EQ(joint->ChildLinkName(), body.name);
    EXPECT_EQ(joint->ParentLinkName(), parent);
    ignition::math::Vector3d axis;
    EXPECT_TRUE(joint->Axis()->ResolveXyz(axis, body.name).empty());
    for (size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(axis[i], body.axis(static_cast<Eigen::Index>(i)), 1e-12) << body.joint_name;
  }
  const SimpleJoints simple = fitSimpleJoints(model);
  for (int j = 0; j < robot.numJoints(); ++j) {
    const auto* axis = loaded->JointByName(robot.joints[static_cast<size_t>(j)].name)->Axis();
    EXPECT_DOUBLE_EQ(axis->Damping(), simple.damping(j));
    EXPECT_DOUBLE_EQ(axis->Friction(), simple.friction(j));
  }
}

TEST(SdfWriter, SdformatHasTheSameModel) {
  expectSameInSdformat(dynid::testing::armModel());
  expectSameInSdformat(describedModel(dynid::testing::threeLink()));
  expectSameInSdformat(describedModel(
      std::make_shared<Robot>(loadRobot(std::string(DYNID_DATASETS_DIR) + "/panda/panda.urdf"))));
}

#else

TEST(SdfWriter, SdformatHasTheSameModel) { GTEST_SKIP() << "libsdformat-dev is not installed"; }

#endif

TEST(SdfWriter, SaysThatMimicJointsMoveFreely) {
  const Robot robot = loadRobot(std::string(DYNID_DATASETS_DIR) + "/dvrk_psm/dvrk_psm.toml");
  const auto mimics = std::count_if(robot.bodies.begin(), robot.bodies.end(), [&](const Body& b) {
    return b.joint_name != robot.treeJoint(b.joint).name;
  });
  const std::vector<std::string> losses = sdfLosses(robot);
  EXPECT_EQ(std::ssize(losses), mimics);
  for (const std::string& loss : losses)
    EXPECT_THAT(loss, ::testing::HasSubstr("SDF 1.9 has no mimic joints: "));
}

}  // namespace
}  // namespace dynid
