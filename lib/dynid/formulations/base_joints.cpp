#include "dynid/formulations/base_joints.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace dynid {
namespace {

struct BaseCoordinate {
  const char* name;
  bool prismatic;
  int axis;
  double reach;  // [m or rad]
};
constexpr std::array<BaseCoordinate, kBaseJoints> kCoordinates = {{{"x", true, 0, 2.0},
                                                                   {"y", true, 1, 2.0},
                                                                   {"z", true, 2, 2.0},
                                                                   {"yaw", false, 2, 3.0},
                                                                   {"pitch", false, 1, 1.2},
                                                                   {"roll", false, 0, 3.0}}};

void appendDrive(const std::string& name, Robot& robot) {
  Drive drive;
  drive.name = name;
  drive.drive_inertia = false;
  robot.drives.push_back(drive);
}

// Adds the six base joints and their bodies. The first five bodies are massless; the sixth is the
// root link with its prior.
void appendBase(const Robot& floating, Robot& robot) {
  for (int i = 0; i < kBaseJoints; ++i) {
    const BaseCoordinate& coordinate = kCoordinates[i];
    Joint joint;
    joint.name = floating.root_link + "." + coordinate.name;
    joint.prismatic = coordinate.prismatic;
    joint.body = i;
    joint.limits.lower = -coordinate.reach;
    joint.limits.upper = coordinate.reach;
    Body body;
    body.name = i + 1 < kBaseJoints ? joint.name : floating.root_link;
    body.joint_name = joint.name;
    body.parent = i - 1;
    body.prismatic = coordinate.prismatic;
    body.axis = Eigen::Vector3d::Unit(coordinate.axis);
    body.joint = i;
    body.massless = i + 1 < kBaseJoints;
    if (!body.massless) {
      body.prior = floating.root_prior;
      body.links = floating.root_links;
    }
    robot.bodies.push_back(body);
    robot.joints.push_back(joint);
    appendDrive(joint.name, robot);
  }
}

}  // namespace

Robot withBaseJoints(const Robot& robot) {
  if (!robot.floating_base)
    throw std::invalid_argument("the base of \"" + robot.name +
                                "\" is fixed; expected a floating one");
  Robot result = robot;
  result.floating_base = false;
  result.root_link = "world";
  result.root_links.clear();
  result.root_prior.reset();
  result.bodies.clear();
  result.joints.clear();
  result.drives.clear();
  appendBase(robot, result);
  for (Body body : robot.bodies) {
    body.parent = body.parent < 0 ? kBaseJoints - 1 : body.parent + kBaseJoints;
    body.joint += kBaseJoints;
    result.bodies.push_back(std::move(body));
  }
  for (Joint joint : robot.joints) {
    joint.body += kBaseJoints;
    result.joints.push_back(std::move(joint));
  }
  result.drives.insert(result.drives.end(), robot.drives.begin(), robot.drives.end());
  const int n = result.numJoints();
  result.T = Eigen::MatrixXd::Identity(n, n);
  result.T.bottomRightCorner(robot.T.rows(), robot.T.cols()) = robot.T;
  result.transmission_offset = Eigen::VectorXd::Zero(n);
  result.transmission_offset.tail(robot.transmission_offset.size()) = robot.transmission_offset;
  result.measured_at_actuator.insert(result.measured_at_actuator.begin(), kBaseJoints, false);
  return result;
}

bool hasBaseJoints(const Robot& robot) {
  if (robot.numBodies() < kBaseJoints || robot.numJoints() < kBaseJoints) return false;
  for (size_t i = 0; i + 1 < kBaseJoints; ++i)
    if (!robot.bodies[i].links.empty() || robot.bodies[i].joint != static_cast<int>(i))
      return false;
  return true;
}

Robot withoutBaseJoints(const Robot& robot) {
  if (!hasBaseJoints(robot))
    throw std::invalid_argument("\"" + robot.name +
                                "\" has no base coordinates; expected a robot with them");
  Robot result = robot;
  const Body& root = robot.bodies[kBaseJoints - 1];
  result.floating_base = true;
  result.root_link = root.name;
  result.root_links = root.links;
  result.root_prior = root.prior;
  result.bodies.erase(result.bodies.begin(), result.bodies.begin() + kBaseJoints);
  result.joints.erase(result.joints.begin(), result.joints.begin() + kBaseJoints);
  result.drives.erase(result.drives.begin(), result.drives.begin() + kBaseJoints);
  for (Body& body : result.bodies) {
    body.parent = std::max(-1, body.parent - kBaseJoints);
    body.joint -= kBaseJoints;
  }
  for (Joint& joint : result.joints) joint.body -= kBaseJoints;
  const int n = result.numJoints();
  result.T = robot.T.bottomRightCorner(n, n).eval();
  result.transmission_offset = robot.transmission_offset.tail(n).eval();
  result.measured_at_actuator.erase(result.measured_at_actuator.begin(),
                                    result.measured_at_actuator.begin() + kBaseJoints);
  return result;
}

}  // namespace dynid
