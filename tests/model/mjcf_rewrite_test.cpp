#include "dynid/model/mjcf_rewrite.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/model/exports.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/mjcf.h"
#include "dynid/robot/xml_offsets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/exported_models.h"
#ifdef DYNID_HAVE_MUJOCO
#include "support/mujoco_dynamics.h"
#endif
#include <filesystem>
#include <regex>
#include <stdexcept>

namespace dynid {
namespace {

using ::testing::HasSubstr;

InertialParameters someInertia(double size = 1.0) {
  return inertialFromCenterOfMass(
      2.0 * size, {0, 0.5, 0}, (size * Eigen::Vector3d(1, 2, 2.5)).asDiagonal());
}

constexpr const char* kInertial = "<inertial pos=\"0 0.5 0\" mass=\"2\" diaginertia=\"1 2 2.5\"/>";

TEST(MjcfRewrite, WritesTheGravityOfTheModel) {
  const auto rewritten = [](const std::string& options, double z) {
    return rewriteMjcf(
        "<mujoco>" + options + "<worldbody/></mujoco>", {}, {}, Eigen::Vector3d(0, 0, z));
  };
  const auto gives = [](const std::string& options) {
    return "<mujoco>" + options + "<worldbody/></mujoco>";
  };
  EXPECT_EQ(rewritten("", -9.81), gives(""));
  EXPECT_EQ(rewritten("", 9.5), gives("<option gravity=\"0 0 9.5\"/>"));
  EXPECT_EQ(rewritten("<option gravity=\"0 0 9.5\"/><option/>", 9.5),
            gives("<option gravity=\"0 0 9.5\"/><option/>"));
  EXPECT_EQ(rewritten("<option gravity=\"0 0 -1\"/><option/>", 9.5),
            gives("<option gravity=\"0 0 9.5\"/><option/>"));
  EXPECT_EQ(rewritten("<option><flag gravity=\"disable\"/></option>", 0.0),
            gives("<option><flag gravity=\"disable\"/></option>"));
  EXPECT_EQ(rewritten("<option><flag gravity=\"disable\"/></option>", 9.5),
            gives("<option gravity=\"0 0 9.5\"><flag gravity=\"enable\"/></option>"));
}

TEST(MjcfRewrite, WritesAtTheBodyAndTheJointAndLeavesDefaultsAlone) {
  const std::string text =
      "<mujoco>\n  <default><joint damping=\"1\" armature=\"0.1\"/></default>\n  <worldbody>\n"
      "    <body name=\"a\"><!-- kept -->\n      <inertial pos=\"0 0 0\" quat=\"1 0 0 0\"\n"
      "        mass=\"9\" diaginertia=\"1 1 1\"/>\n      <joint name=\"j\" axis=\"0 0 1\"/>\n"
      "      <body name=\"b\">\n        <joint name=\"k\" armature=\"0.5\" damping='3'/>\n"
      "      </body>\n    </body>\n  </worldbody>\n"
      "  <equality><joint joint1=\"j\" joint2=\"k\"/></equality>\n</mujoco>\n";
  const std::string rewritten =
      rewriteMjcf(text, {{"a", someInertia()}, {"b", someInertia()}}, {{"k", {0.25, 2, 0.125}}});
  EXPECT_EQ(rewritten,
            std::string("<mujoco>\n  <default><joint damping=\"1\" armature=\"0.1\"/></default>\n"
                        "  <worldbody>\n    <body name=\"a\"><!-- kept -->\n      ") +
                kInertial +
                "\n      <joint name=\"j\" axis=\"0 0 1\"/>\n      <body name=\"b\">\n" +
                "        " + kInertial +
                "\n        <joint name=\"k\" armature=\"0.125\" damping='0.25' "
                "frictionloss=\"2\"/>\n      </body>\n    </body>\n  </worldbody>\n"
                "  <equality><joint joint1=\"j\" joint2=\"k\"/></equality>\n</mujoco>\n");
}

TEST(MjcfRewrite, BodiesAndJointsWithoutNamesAreFoundByTheirPlace) {
  const std::string text =
      "<mujoco><worldbody><body><joint/><body><joint/></body></body></worldbody></mujoco>";
  EXPECT_EQ(rewriteMjcf(text, {{"body_2", someInertia()}}, {{"body_2_joint", {1, 2, 3}}}),
            "<mujoco><worldbody><body><joint/><body>" + std::string(kInertial) +
                "<joint damping=\"1\" frictionloss=\"2\" armature=\"3\"/></body></body>"
                "</worldbody></mujoco>");
}

TEST(MjcfRewrite, RefusesUnknownNames) {
  const std::string text = "<mujoco/>";
  const auto refusal = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal([&] {
                rewriteMjcf(text, {{"a", someInertia()}}, {});
              }),
              HasSubstr("the MJCF has no body \"a\""));
  EXPECT_THAT(refusal([&] {
                rewriteMjcf(text, {}, {{"j", {}}});
              }),
              HasSubstr("the MJCF has no joint \"j\""));
}

TEST(MjcfRewrite, CompilerOptionsThatChangeInertiasAreRemoved) {
  const std::string text =
      "<mujoco><compiler settotalmass=\"12\" angle=\"radian\"\n"
      "  balanceinertia = 'true' boundmass=\"0.1\" boundinertia=\"1e-4\"/>"
      "<compiler inertiafromgeom=\"true\" boundmass=\"0\"/></mujoco>";
  EXPECT_EQ(rewriteMjcf(text, {}, {}),
            "<mujoco><compiler angle=\"radian\"/>"
            "<compiler inertiafromgeom=\"auto\" boundmass=\"0\"/></mujoco>");
  EXPECT_THAT(
      mjcfInertiaOptions(text),
      ::testing::UnorderedElementsAre(
          "settotalmass", "boundmass", "boundinertia", "balanceinertia", "inertiafromgeom"));
  EXPECT_TRUE(mjcfInertiaOptions(rewriteMjcf(text, {}, {})).empty());
}

/// The text without the parts that may change: `<inertial>` and five attributes of `<joint>`.
std::string unchanging(std::string text) {
  text = std::regex_replace(text, std::regex("<inertial\\b[^>]*/>"), "");
  const std::regex effect(
      "(<joint\\b[^>]*?)\\s+(damping|frictionloss|armature|stiffness|springref)=\"[^\"]*\"");
  for (std::string before; before != text;) {
    before = text;
    text = std::regex_replace(text, effect, "$1");
  }
  return std::regex_replace(text, std::regex("\\s+"), "");
}

/// Bodies and joints only: the folder has no meshes, and older versions of MuJoCo do not support
/// every attribute of actuators and options.
std::string withoutGeometry(std::string text) {
  for (const char* section : {"asset",
                              "actuator",
                              "sensor",
                              "contact",
                              "keyframe",
                              "tendon",
                              "visual",
                              "statistic",
                              "equality",
                              "option",
                              "custom",
                              "extension"})
    text = std::regex_replace(
        text,
        std::regex("<" + std::string(section) + "(\\s[^>/]*)?>[\\s\\S]*?</" + section + ">"),
        "");
  for (const char* element : {"geom",
                              "light",
                              "option",
                              "general",
                              "position",
                              "motor",
                              "site",
                              "camera",
                              "size",
                              "mesh",
                              "material",
                              "statistic",
                              "equality"})
    text = std::regex_replace(text, std::regex("<" + std::string(element) + "\\b[^>]*/>"), "");
  return std::regex_replace(text, std::regex("\\s+actuatorfrc[a-z]*=\"[^\"]*\""), "");
}

struct Changes {
  std::map<std::string, InertialParameters> inertials;
  std::map<std::string, MjcfJointEffects> joints;
};

/// Different numbers for every body and joint, in the order of the text.
void addChanges(const XmlSpan& element,
                const std::map<int, std::string>& names,
                int& ordinal,
                Changes& changes) {
  const auto name = names.find(++ordinal);
  if (name != names.end() && element.name == "body")
    changes.inertials[name->second] =
        someInertia(0.1 + 0.01 * static_cast<double>(changes.inertials.size()));
  if (name != names.end() && element.name == "joint") {
    const auto k = static_cast<double>(changes.joints.size());
    changes.joints[name->second] = {0.3 + k, 0.2 + k, 0.1 + k, {}};
  }
  for (const XmlSpan& child : element.children) addChanges(child, names, ordinal, changes);
}

std::vector<std::filesystem::path> publicModels() {
  const std::filesystem::path folder = std::filesystem::path(DYNID_FORMATS_DIR) / "mjcf";
  std::vector<std::filesystem::path> files;
  if (std::string(DYNID_FORMATS_DIR).empty() || !std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  return files;
}

TEST(MjcfRewrite, PublicModelsKeepEverythingElse) {
  const std::vector<std::filesystem::path> files = publicModels();
  if (files.empty()) GTEST_SKIP() << "DYNID_FORMATS_DIR is not set";
  int loaded = 0;
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file.string());
    const std::string text = loadRobot(file).mjcf_text;
    Changes changes;
    int ordinal = 0;
    addChanges(locateElements(text), mjcfNames(text), ordinal, changes);
    ASSERT_FALSE(changes.inertials.empty());
    const std::string rewritten = rewriteMjcf(text, changes.inertials, changes.joints);
    EXPECT_EQ(unchanging(rewritten), unchanging(text));
#ifdef DYNID_HAVE_MUJOCO
    const dynid::testing::MujocoDynamics original(withoutGeometry(text));
    if (!original.loaded()) continue;  // made for a newer MuJoCo, or named geometry is needed
    ++loaded;
    const dynid::testing::MujocoDynamics mujoco(withoutGeometry(rewritten));
    ASSERT_TRUE(mujoco.loaded()) << mujoco.error();
    const auto named = [&](const std::string& name) {
      return text.find("name=\"" + name + "\"") != std::string::npos;
    };
    for (const auto& [body, pi] : changes.inertials) {
      const int id = mj_name2id(&mujoco.model(), mjOBJ_BODY, body.c_str());
      ASSERT_EQ(id >= 0, named(body)) << body;
      if (id < 0) continue;
      EXPECT_DOUBLE_EQ(mujoco.model().body_mass[id], pi(0)) << body;
    }
    for (const auto& [joint, effects] : changes.joints) {
      const int id = mj_name2id(&mujoco.model(), mjOBJ_JOINT, joint.c_str());
      ASSERT_EQ(id >= 0, named(joint)) << joint;
      if (id < 0) continue;
      const int dof = mujoco.model().jnt_dofadr[id];
      EXPECT_DOUBLE_EQ(mujoco.model().dof_damping[dof], effects.damping) << joint;
      EXPECT_DOUBLE_EQ(mujoco.model().dof_frictionloss[dof], effects.frictionloss) << joint;
      EXPECT_DOUBLE_EQ(mujoco.model().dof_armature[dof], effects.armature) << joint;
    }
#endif
  }
  EXPECT_GT(files.size(), 20U);
#ifdef DYNID_HAVE_MUJOCO
  EXPECT_GE(loaded, 16);
#endif
}

/// The model of a public file with its own inertias, slightly changed.
Model publicModel(const std::string& file) {
  return dynid::testing::describedModel(
      std::make_shared<Robot>(loadRobot(std::filesystem::path(DYNID_FORMATS_DIR) / "mjcf" / file)));
}

TEST(MjcfRewrite, AModelOfEveryPublicFileIsExportedIntoIt) {
  const std::vector<std::filesystem::path> files = publicModels();
  if (files.empty()) GTEST_SKIP() << "DYNID_FORMATS_DIR is not set";
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file.string());
    const Model model = publicModel(file.string());
    const ExportedModel exported = exportMjcf(model);
    EXPECT_EQ(unchanging(exported.text), unchanging(model.robot->mjcf_text));
    EXPECT_LT(exported.max_relative_disagreement, 1e-9);
  }
}

TEST(MjcfRewrite, MassBetweenTheJointsOfABodyNeedsANewFile) {
  if (publicModels().empty()) GTEST_SKIP() << "DYNID_FORMATS_DIR is not set";
  Model model = publicModel("mujoco_model/humanoid.xml");
  Robot robot = *model.robot;
  robot.root_prior = someInertia();
  model.robot = std::make_shared<Robot>(robot);
  for (int k = 0; k < robot.numBodies(); ++k)
    if (robot.bodies[k].massless) model.parameters.segment<10>(10 * k) = someInertia();
  const ExportedModel exported = exportMjcf(model);
  EXPECT_THAT(
      exported.dropped,
      ::testing::Contains(HasSubstr(
          "bodies of the given file have several joints and the model has mass between them")));
  EXPECT_THAT(exported.dropped, ::testing::Contains(HasSubstr("foot_left:ankle_y_left")));
}

#ifdef DYNID_HAVE_MUJOCO
// A model that was read from an MJCF is written back into it, and MuJoCo computes the same torques
// as the model.
TEST(MjcfRewrite, TheUsersOwnFileHasTheModelsTorquesInMujoco) {
  const std::filesystem::path folder = std::filesystem::path(DYNID_FORMATS_DIR) / "mjcf";
  if (std::string(DYNID_FORMATS_DIR).empty() || !std::filesystem::exists(folder))
    GTEST_SKIP() << "DYNID_FORMATS_DIR is not set";
  int compared = 0;
  for (const char* name : {"kuka_iiwa_14/iiwa14.xml",
                           "franka_emika_panda/panda.xml",
                           "franka_emika_panda/panda_nohand.xml",
                           "rethink_robotics_sawyer/sawyer.xml",
                           "low_cost_robot_arm/low_cost_robot_arm.xml",
                           "robotis_op3/op3.xml",
                           "unitree_a1/a1.xml",
                           "unitree_go2/go2.xml",
                           "universal_robots_ur5e/ur5e.xml"}) {
    SCOPED_TRACE(name);
    const Model model = dynid::testing::describedModel(
        std::make_shared<Robot>(parseRobot("", withoutGeometry(readTextFile(folder / name)))));
    const ExportedModel exported = exportMjcf(model);
    EXPECT_EQ(unchanging(exported.text), unchanging(model.robot->mjcf_text));
    const dynid::testing::MujocoDynamics mujoco(exported.text);
    if (!mujoco.loaded()) continue;  // made for a newer MuJoCo
    ++compared;
    const Robot& robot = *model.robot;
    const Eigen::VectorXd pi = model.parameters.head(10 * robot.numBodies());
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const auto draw = [&](double scale) -> Eigen::VectorXd {
      return Eigen::VectorXd::NullaryExpr(robot.numJoints(), [&] { return scale * unit(random); });
    };
    for (int i = 0; i < 10; ++i) {
      const Eigen::VectorXd q = draw(1.0), dq = draw(2.0), ddq = draw(5.0);
      const Eigen::VectorXd rigid = inverseDynamics(robot, pi, q, dq, ddq);
      EXPECT_LT((mujoco.rigidTorque(robot, q, dq, ddq) - rigid).cwiseAbs().maxCoeff(),
                1e-9 * std::max(1.0, rigid.cwiseAbs().maxCoeff()));
    }
  }
  EXPECT_GE(compared, 6);
}
#endif

}  // namespace
}  // namespace dynid
