// Public MJCF models compared with values of an independent reader (expected_model.json).
#include "dynid/robot/load_robot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using Json = nlohmann::json;

constexpr double kTolerance = 1e-9;

const Body::FixedLink* findLink(const Robot& robot, const std::string& name) {
  for (const Body::FixedLink& link : robot.root_links)
    if (link.name == name) return &link;
  for (const Body& body : robot.bodies)
    for (const Body::FixedLink& link : body.links)
      if (link.name == name) return &link;
  return nullptr;
}

Eigen::Vector3d vectorOf(const Json& json) {
  return Eigen::Vector3d(
      json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>());
}

// Masses, centres and inertias of every body with an <inertial>.
int expectBodies(const Robot& robot, const Json& bodies) {
  int compared = 0;
  for (const Json& body : bodies) {
    if (!body.at("name").is_string() || body.value("mass", Json()).is_null()) continue;
    const std::string name = body["name"];
    const Body::FixedLink* link = findLink(robot, name);
    if (link == nullptr) continue;  // an object of a scene
    EXPECT_TRUE(link->inertial.has_value()) << name;
    if (!link->inertial) continue;
    const CenterOfMassInertia ours = centerOfMassInertia(*link->inertial);
    EXPECT_NEAR(ours.mass, body["mass"].get<double>(), kTolerance) << name;
    EXPECT_LT((ours.com - vectorOf(body["com"])).norm(), kTolerance) << name;
    const auto I = body["inertia_about_com_in_body_axes"].get<std::vector<double>>();
    const Eigen::Matrix3d expected{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    EXPECT_LT((ours.inertia_about_com - expected).cwiseAbs().maxCoeff(), kTolerance) << name;
    ++compared;
  }
  return compared;
}

// The expected values of a joint; an empty object for a joint without a name in the file.
Json jointNamed(const Json& joints, const std::string& name) {
  const auto found = std::find_if(
      joints.begin(), joints.end(), [&](const Json& joint) { return joint["name"] == name; });
  return found == joints.end() ? Json::object() : *found;
}

int expectJoints(const Robot& robot, const Json& joints) {
  int compared = 0;
  for (const Json& expected : joints) {
    if (expected["type"] == "free") {
      const bool of_robot = findLink(robot, expected["body"]) != nullptr;
      EXPECT_EQ(robot.floating_base, of_robot);
      continue;  // otherwise an object of a scene
    }
    const auto body = std::find_if(robot.bodies.begin(), robot.bodies.end(), [&](const Body& b) {
      return expected["name"].is_string() && b.joint_name == expected["name"].get<std::string>();
    });
    if (body == robot.bodies.end()) continue;  // without a name, or held by an equality
    EXPECT_EQ(body->prismatic, expected["type"] == "slide") << body->joint_name;
    EXPECT_LT((body->axis - vectorOf(expected["axis"]).normalized()).norm(), kTolerance)
        << body->joint_name;
    ++compared;
    const std::vector<std::string> names = robot.jointNames();
    const auto name = std::find(names.begin(), names.end(), body->joint_name);
    if (name == names.end()) continue;  // a mimic or passive joint
    const Joint& joint = robot.joints[name - names.begin()];
    // Of the joint and, by the power of the forces, of those that follow it.
    double damping = 0.0, friction = 0.0, inertia = 0.0;
    for (const Body& moved : robot.bodies) {
      if (moved.joint != body->joint) continue;
      const Json values = jointNamed(joints, moved.joint_name);
      const double m = moved.multiplier;
      damping += m * m * values.value("damping", 0.0);
      friction += std::abs(m) * values.value("frictionloss", 0.0);
      inertia += m * m * values.value("armature", 0.0);
    }
    EXPECT_NEAR(joint.damping, damping, kTolerance) << joint.name;
    EXPECT_NEAR(joint.friction, friction, kTolerance) << joint.name;
    EXPECT_NEAR(joint.drive_inertia, inertia, kTolerance) << joint.name;
    EXPECT_NEAR(joint.stiffness, expected["stiffness"].get<double>(), kTolerance) << joint.name;
    const Json range = expected.value("range", Json());
    if (!range.is_array()) continue;
    EXPECT_NEAR(joint.limits.lower, range[0].get<double>(), kTolerance) << joint.name;
    EXPECT_NEAR(joint.limits.upper, range[1].get<double>(), kTolerance) << joint.name;
  }
  return compared;
}

TEST(MjcfExpected, PublicModelsHaveTheValuesOfAnIndependentReader) {
  const std::string folder = DYNID_FORMATS_DIR;
  if (folder.empty()) GTEST_SKIP() << "DYNID_FORMATS_DIR is not set";
  std::ifstream in(folder + "/mjcf/expected_model.json");
  const Json all = Json::parse(in);
  int bodies = 0, joints = 0;
  for (const auto& [file, expected] : all.items()) {
    SCOPED_TRACE(file);
    try {
      const Robot robot = loadRobot(folder + "/mjcf/" + file);
      bodies += expectBodies(robot, expected["bodies"]);
      joints += expectJoints(robot, expected["joints"]);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(bodies, 150);
  EXPECT_GE(joints, 200);
}

}  // namespace
}  // namespace dynid
