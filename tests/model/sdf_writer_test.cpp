// The exported SDF, loaded by Gazebo's library.
#include "dynid/model/sdf_writer.h"

#include "dynid/model/export_check.h"
#include "dynid/model/exports.h"
#include "dynid/model/file_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/exported_models.h"
#ifdef DYNID_HAVE_SDFORMAT
#include <sdf/sdf.hh>
#endif

namespace dynid {
namespace {

using dynid::testing::describedModel;

/// A body with three joints, and one behind it.
Model jointsOfOneBody() {
  return describedModel(std::make_shared<Robot>(parseRobot(
      "",
      "<mujoco><worldbody><body name=\"a\"><joint name=\"x\" type=\"slide\" axis=\"1 0 0\"/>"
      "<joint name=\"y\" pos=\"0.1 0.2 0.3\" axis=\"0 1 0\"/><joint name=\"z\"/>"
      "<inertial pos=\"0.1 0 0\" mass=\"3\" diaginertia=\"0.1 0.2 0.15\"/>"
      "<body name=\"b\" pos=\"0 0 1\"><joint name=\"e\" axis=\"1 0 0\"/>"
      "<inertial pos=\"0 0 0.1\" mass=\"1\" diaginertia=\"0.02 0.03 0.02\"/></body></body>"
      "</worldbody></mujoco>")));
}

TEST(SdfWriter, ASinglePositionLimitIsKept) {
  Model model = dynid::testing::armModel();
  Robot robot = *model.robot;
  robot.joints[0].limits.lower = -0.25;
  robot.joints[0].limits.upper = kInfinity;
  model.robot = std::make_shared<Robot>(robot);
  const std::string text = exportSdf(model).text;
  const size_t lower = text.find("<lower>-0.25</lower>");
  ASSERT_NE(lower, std::string::npos);
  EXPECT_EQ(text.find("<upper>", lower), text.find("<upper>1e16</upper>", lower));
}

TEST(SdfWriter, ABodyWithSeveralJointsSharesItsInertia) {
  const Model model = jointsOfOneBody();
  const ExportedModel exported = exportSdf(model);
  EXPECT_LT(exported.max_relative_disagreement, 1e-12);
  EXPECT_THAT(exported.text, ::testing::Not(::testing::HasSubstr("<mass>0</mass>")));
  double mass = 0.0;
  const std::map<std::string, ReadBackBody> bodies = bodiesOfSdf(exported.text);
  for (const auto& [name, body] : bodies) mass += body.inertial(0);
  EXPECT_NEAR(mass, model.body(2)(0) + model.body(3)(0), 1e-12);
  std::vector<std::string> changed;
  EXPECT_LT(rigidDisagreement(withFileNames(model, FileFormat::kSdf, changed), bodies), 2e-3);
  EXPECT_THAT(exported.dropped,
              ::testing::Contains(::testing::HasSubstr(
                  "SDF has no links without mass: a:y, a:x, between several joints of one body, "
                  "get 0.1 % of its inertia each")));
}

#ifdef DYNID_HAVE_SDFORMAT

std::string messages(const sdf::Errors& errors) {
  std::string text;
  for (const sdf::Error& error : errors) text += error.Message() + "\n";
  return text;
}

/// Compares the link of a body: inertia, and pose in the parent link.
void expectSameLink(const sdf::Model& loaded,
                    const Body& body,
                    const std::string& parent,
                    const InertialParameters& inertial_parameters) {
  const sdf::Link* link = loaded.LinkByName(body.name);
  ASSERT_NE(link, nullptr) << body.name;
  const CenterOfMassInertia expected = centerOfMassInertia(inertial_parameters);
  const auto& inertial = link->Inertial();
  EXPECT_DOUBLE_EQ(inertial.MassMatrix().Mass(), expected.mass);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(inertial.Pose().Pos()[i], expected.com(i), 1e-15) << body.name;
  const auto moi = inertial.Moi();
  for (int i = 0; i < 9; ++i)
    EXPECT_NEAR(moi(i / 3, i % 3), expected.inertia_about_com(i / 3, i % 3), 1e-15) << body.name;
  ignition::math::Pose3d pose;
  EXPECT_TRUE(link->SemanticPose().Resolve(pose, parent).empty());
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(pose.Pos()[i], body.X_PJ.p(i), 1e-12) << body.name;
  const ignition::math::Matrix3d R(pose.Rot());
  for (int i = 0; i < 9; ++i)
    EXPECT_NEAR(R(i / 3, i % 3), body.X_PJ.R(i / 3, i % 3), 1e-9) << body.name;
}

/// Compares the joint of a body: type, links and axis.
void expectSameJoint(const sdf::Model& loaded, const Body& body, const std::string& parent) {
  const sdf::Joint* joint = loaded.JointByName(body.joint_name);
  ASSERT_NE(joint, nullptr) << body.joint_name;
  EXPECT_EQ(joint->Type(), body.prismatic ? sdf::JointType::PRISMATIC : sdf::JointType::REVOLUTE);
  EXPECT_EQ(joint->ChildLinkName(), body.name);
  EXPECT_EQ(joint->ParentLinkName(), parent);
  ignition::math::Vector3d axis;
  EXPECT_TRUE(joint->Axis()->ResolveXyz(axis, body.name).empty());
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(axis[i], body.axis(i), 1e-12) << body.joint_name;
}

/// Compares links, masses, inertias, poses, axes and joints with those of the model.
void expectSameInSdformat(const Model& model) {
  std::vector<std::string> changed;
  const Model named = withFileNames(model, FileFormat::kSdf, changed);
  const Robot& robot = *named.robot;
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
    const Body& body = robot.bodies[k];
    const std::string parent = body.parent < 0 ? robot.root_link : robot.bodies[body.parent].name;
    expectSameLink(*loaded, body, parent, model.body(k));
    expectSameJoint(*loaded, body, parent);
  }
  const SimpleJoints simple = fitSimpleJoints(model);
  for (int j = 0; j < robot.numJoints(); ++j) {
    const auto* axis = loaded->JointByName(robot.joints[j].name)->Axis();
    EXPECT_DOUBLE_EQ(axis->Damping(), simple.damping(j));
    EXPECT_DOUBLE_EQ(axis->Friction(), simple.friction(j));
    EXPECT_DOUBLE_EQ(axis->SpringStiffness(), simple.stiffness(j));
    EXPECT_DOUBLE_EQ(axis->SpringReference(), simple.spring_reference(j));
  }
}

TEST(SdfWriter, SdformatHasTheSameModel) {
  expectSameInSdformat(dynid::testing::armModel());
  expectSameInSdformat(describedModel(dynid::testing::threeLink()));
  Model spring = describedModel(std::make_shared<Robot>(
      parseRobot("[joint.joint_2]\nposition_effects = [{ type = \"spring\" }]\n",
                 readTextFile(std::string(DYNID_DATASETS_DIR) + "/quickstart/arm.urdf"))));
  dynid::testing::appendSpring(spring, 1, 12.0);
  ASSERT_EQ(fitSimpleJoints(spring).stiffness(1), 12.0);
  ASSERT_NE(fitSimpleJoints(spring).spring_reference(1), 0.0);
  expectSameInSdformat(spring);
  expectSameInSdformat(describedModel(
      std::make_shared<Robot>(loadRobot(std::string(DYNID_DATASETS_DIR) + "/panda/panda.urdf"))));
}

// "world" is a common name of a URDF's root link, and every MJCF's.
TEST(SdfWriter, ARootLinkCalledWorldGetsAnotherName) {
  const Model model = describedModel(std::make_shared<Robot>(parseRobot("", R"(<robot name="arm">
    <link name="world"/><link name="world_link"/><link name="upper"/>
    <joint name="mount" type="fixed">
      <parent link="world"/><child link="world_link"/><origin xyz="0 0 1"/></joint>
    <joint name="shoulder" type="continuous">
      <parent link="world_link"/><child link="upper"/><axis xyz="0 1 0"/></joint></robot>)")));
  EXPECT_THAT(exportSdf(model).dropped,
              ::testing::Contains("the link \"world\" is called \"world_link_\": SDF reserves its "
                                  "name or has it already"));
  expectSameInSdformat(model);
}

// Joints often have the name of their link; SDF has one list of names for both.
TEST(SdfWriter, NamesThatSdfDoesNotTakeAreChanged) {
  const Model model = describedModel(std::make_shared<Robot>(parseRobot("", R"(<robot name="arm">
    <link name="base"/><link name="hip"/><link name="world"/><link name="__tool__"/>
    <joint name="hip" type="continuous">
      <parent link="base"/><child link="hip"/><axis xyz="0 1 0"/></joint>
    <joint name="base_to_world" type="continuous">
      <parent link="hip"/><child link="world"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/></joint>
    <joint name="left::wrist" type="continuous">
      <parent link="world"/><child link="__tool__"/><axis xyz="1 0 0"/></joint></robot>)")));
  const std::vector<std::string> dropped = exportSdf(model).dropped;
  for (const char* change : {"the link \"world\" is called \"world_link\"",
                             "the link \"__tool__\" is called \"__tool___link\"",
                             "the joint \"hip\" is called \"hip_joint\"",
                             "the joint \"base_to_world\" is called \"base_to_world_joint\"",
                             "the joint \"left::wrist\" is called \"left_wrist\""})
    EXPECT_THAT(dropped, ::testing::Contains(::testing::HasSubstr(change)));
  expectSameInSdformat(model);
  EXPECT_THAT(exportMjcf(model).dropped,
              ::testing::Contains(::testing::HasSubstr("the link \"world\" is called")));
  EXPECT_LT(exportUrdf(model).max_relative_disagreement, 1e-9);
}

// sdformat refuses links without mass.
TEST(SdfWriter, LinksBetweenTheJointsOfABodyHaveAMass) {
  const Model model = jointsOfOneBody();
  sdf::Root root;
  const sdf::Errors errors = root.LoadSdfString(exportSdf(model).text);
  EXPECT_TRUE(errors.empty()) << messages(errors);
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
