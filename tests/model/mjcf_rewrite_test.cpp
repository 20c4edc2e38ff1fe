#include "dynid/model/mjcf_rewrite.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/dynamics/newton_euler.h"
#include "dynid/model/exports.h"
#include "dynid/model/xml_offsets.h"

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

constexpr const char* kInertial =
    "<inertial pos=\"0 0.5 0\" mass=\"2\" fullinertia=\"1 2 2.5 0 0 0\"/>";

TEST(MjcfRewrite, WritesAtTheBodyAndTheJointAndLeavesDefaultsAlone) {
  const std::string text =
      "<mujoco>\n  <default><joint damping=\"1\" armature=\"0.1\"/></default>\n  <worldbody>\n"
      "    <body name=\"a\"><!-- kept -->\n      <inertial pos=\"0 0 0\" quat=\"1 0 0 0\"\n"
      "        mass=\"9\" diaginertia=\"1 1 1\"/>\n      <joint name=\"j\" axis=\"0 0 1\"/>\n"
      "      <body name=\"b\">\n        <joint name=\"k\" armature=\"0.5\" damping='3'/>\n"
      "      </body>\n    </body>\n  </worldbody>\n"
      "  <equality><joint joint1=\"j\" joint2=\"k\"/></equality>\n</mujoco>\n";
  const auto rewritten = rewriteMjcf(
      {{"m.xml", text}}, {{"a", someInertia()}, {"b", someInertia()}}, {{"k", {0.25, 2, 0.125}}});
  EXPECT_EQ(rewritten.at("m.xml"),
            std::string("<mujoco>\n  <default><joint damping=\"1\" armature=\"0.1\"/></default>\n"
                        "  <worldbody>\n    <body name=\"a\"><!-- kept -->\n      ") +
                kInertial +
                "\n      <joint name=\"j\" axis=\"0 0 1\"/>\n      <body name=\"b\">\n" +
                "        " + kInertial +
                "\n        <joint name=\"k\" armature=\"0.125\" damping='0.25' "
                "frictionloss=\"2\"/>\n      </body>\n    </body>\n  </worldbody>\n"
                "  <equality><joint joint1=\"j\" joint2=\"k\"/></equality>\n</mujoco>\n");
}

TEST(MjcfRewrite, FindsBodiesInIncludedFiles) {
  const std::map<std::string, std::string> files = {
      {"scene.xml", "<mujoco><include file=\"arm.xml\"/></mujoco>"},
      {"arm.xml", "<mujoco><worldbody><body name=\"a\"/></worldbody></mujoco>"}};
  const auto rewritten = rewriteMjcf(files, {{"a", someInertia()}}, {});
  EXPECT_EQ(rewritten.at("scene.xml"), files.at("scene.xml"));
  EXPECT_THAT(rewritten.at("arm.xml"), HasSubstr(kInertial));
}

TEST(MjcfRewrite, RefusesUnknownNamesAndIgnoredInertials) {
  const std::map<std::string, std::string> files = {{"m.xml", "<mujoco/>"}};
  const auto refusal = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal([&] {
                rewriteMjcf(files, {{"a", someInertia()}}, {});
              }),
              HasSubstr("no file has a body \"a\""));
  EXPECT_THAT(refusal([&] {
                rewriteMjcf(files, {}, {{"j", {}}});
              }),
              HasSubstr("no file has a joint \"j\""));
  EXPECT_THAT(
      refusal([&] {
        rewriteMjcf({{"m.xml", "<mujoco><compiler inertiafromgeom=\"true\"/></mujoco>"}}, {}, {});
      }),
      HasSubstr("m.xml: the compiler option inertiafromgeom=\"true\" makes MuJoCo ignore"));
}

/// The main file and all files that it includes, by path.
void collect(const std::filesystem::path& path, std::map<std::string, std::string>& files) {
  if (!files.emplace(path.string(), readTextFile(path)).second) return;
  const std::string text = files.at(path.string());
  const std::regex include("<include\\s+file=\"([^\"]+)\"");
  for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it)
    collect(path.parent_path() / (*it)[1].str(), files);
}

/// Names of the elements of a kind below `<worldbody>`.
void namesOf(const XmlSpan& element,
             const std::string& kind,
             bool in_world,
             std::vector<std::string>& names) {
  in_world |= element.name == "worldbody";
  for (const XmlSpan& child : element.children) {
    const XmlAttribute* name = child.attribute("name");
    if (in_world && child.name == kind && name != nullptr) names.push_back(name->value);
    namesOf(child, kind, in_world, names);
  }
}

/// The text without what may change: `<inertial>` and three attributes of `<joint>`.
std::string unchanging(std::string text) {
  text = std::regex_replace(text, std::regex("<inertial\\b[^>]*/>"), "");
  const std::regex effect("(<joint\\b[^>]*?)\\s+(damping|frictionloss|armature)=\"[^\"]*\"");
  for (std::string before; before != text;) {
    before = text;
    text = std::regex_replace(text, effect, "$1");
  }
  return std::regex_replace(text, std::regex("\\s+"), "");
}

/// The bodies and joints alone: the folder has no meshes, and an older MuJoCo does not know every
/// attribute of actuators and options.
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

Changes someChanges(const std::map<std::string, std::string>& files) {
  std::vector<std::string> bodies, joints;
  for (const auto& [name, text] : files) {
    const XmlSpan root = locateElements(text);
    namesOf(root, "body", false, bodies);
    namesOf(root, "joint", false, joints);
  }
  Changes changes;
  for (const std::string& body : bodies)
    changes.inertials[body] =
        someInertia(0.1 + 0.01 * static_cast<double>(changes.inertials.size()));
  for (const std::string& joint : joints) {
    const auto k = static_cast<double>(changes.joints.size());
    changes.joints[joint] = {0.3 + k, 0.2 + k, 0.1 + k};
  }
  return changes;
}

TEST(MjcfRewrite, PublicModelsKeepEverythingElse) {
  const std::filesystem::path folder = std::filesystem::path(DYNID_FORMATS_DIR) / "mjcf";
  if (std::string(DYNID_FORMATS_DIR).empty() || !std::filesystem::exists(folder))
    GTEST_SKIP() << "DYNID_FORMATS_DIR is not set";
  int models = 0, loaded = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".xml") continue;
    std::map<std::string, std::string> files;
    collect(entry.path(), files);
    const Changes changes = someChanges(files);
    if (changes.inertials.empty()) continue;
    SCOPED_TRACE(entry.path().string());
    const auto rewritten = rewriteMjcf(files, changes.inertials, changes.joints);
    for (const auto& [name, text] : files)
      EXPECT_EQ(unchanging(rewritten.at(name)), unchanging(text));
    ++models;
#ifdef DYNID_HAVE_MUJOCO
    if (files.size() > 1) continue;  // the model itself is loaded
    const dynid::testing::MujocoDynamics original(withoutGeometry(files.begin()->second));
    if (!original.loaded()) continue;  // made for a newer MuJoCo, or named geometry is needed
    ++loaded;
    const dynid::testing::MujocoDynamics mujoco(withoutGeometry(rewritten.begin()->second));
    ASSERT_TRUE(mujoco.loaded()) << mujoco.error();
    for (const auto& [body, pi] : changes.inertials) {
      const int id = mj_name2id(&mujoco.model(), mjOBJ_BODY, body.c_str());
      ASSERT_GE(id, 0) << body;
      EXPECT_DOUBLE_EQ(mujoco.model().body_mass[id], pi(0)) << body;
    }
    for (const auto& [joint, effects] : changes.joints) {
      const int id = mj_name2id(&mujoco.model(), mjOBJ_JOINT, joint.c_str());
      ASSERT_GE(id, 0) << joint;
      const int dof = mujoco.model().jnt_dofadr[id];
      EXPECT_DOUBLE_EQ(mujoco.model().dof_damping[dof], effects.damping) << joint;
      EXPECT_DOUBLE_EQ(mujoco.model().dof_frictionloss[dof], effects.frictionloss) << joint;
      EXPECT_DOUBLE_EQ(mujoco.model().dof_armature[dof], effects.armature) << joint;
    }
#endif
  }
  EXPECT_GT(models, 10);
#ifdef DYNID_HAVE_MUJOCO
  EXPECT_GE(loaded, 8);
#endif
}

#ifdef DYNID_HAVE_MUJOCO
// A model that was read from an MJCF is written back into it, and MuJoCo's torques are the model's.
TEST(MjcfRewrite, TheUsersOwnFileHasTheModelsTorquesInMujoco) {
  const std::filesystem::path folder = std::filesystem::path(DYNID_FORMATS_DIR) / "mjcf";
  if (std::string(DYNID_FORMATS_DIR).empty() || !std::filesystem::exists(folder))
    GTEST_SKIP() << "DYNID_FORMATS_DIR is not set";
  int compared = 0;
  for (const char* name : {"kuka_iiwa_14/iiwa14.xml",
                           "franka_emika_panda/panda.xml",
                           "franka_emika_panda/panda_nohand.xml",
                           "rethink_robotics_sawyer/sawyer.xml",
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
    if (robot.floating_base) continue;
    const Eigen::VectorXd pi = model.parameters.head(10 * robot.numBodies());
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    const auto draw = [&](double scale) -> Eigen::VectorXd {
      return Eigen::VectorXd::NullaryExpr(robot.numJoints(), [&] { return scale * unit(random); });
    };
    for (int i = 0; i < 10; ++i) {
      const Eigen::VectorXd q = draw(1.0), dq = draw(2.0), ddq = draw(5.0);
      const Eigen::VectorXd rigid = inverseDynamics(robot, pi, q, dq, ddq);
      // MuJoCo 2.2 finds the principal axes of `fullinertia` to about 1e-6 rad only.
      EXPECT_LT((mujoco.rigidTorque(robot, q, dq, ddq) - rigid).cwiseAbs().maxCoeff(),
                1e-7 * std::max(1.0, rigid.cwiseAbs().maxCoeff()));
    }
  }
  EXPECT_GE(compared, 6);
}
#endif

}  // namespace
}  // namespace dynid
