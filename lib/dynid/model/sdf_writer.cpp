#include "dynid/model/sdf_writer.h"

#include "dynid/core/errors.h"
#include "dynid/model/xml_text.h"
#include "dynid/robot/root_body.h"

#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

/// Fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll).
Eigen::Vector3d rollPitchYaw(const Eigen::Matrix3d& R) {
  const double cosine = std::hypot(R(0, 0), R(1, 0));
  const double pitch = std::atan2(-R(2, 0), cosine);
  if (cosine < 1e-9)  // roll and yaw have the same axis: roll gets the whole angle
    return {std::atan2(-R(1, 2), R(1, 1)), pitch, 0.0};
  return {std::atan2(R(2, 1), R(2, 2)), pitch, std::atan2(R(1, 0), R(0, 0))};
}

std::string poseOf(const Transform& X, const std::string& relative_to) {
  return fmt::format("<pose relative_to=\"{}\">{} {}</pose>",
                     xmlEscaped(relative_to),
                     xmlNumbers(X.p),
                     xmlNumbers(rollPitchYaw(X.R)));
}

void append(std::string& text, int depth, const std::string& line) {
  text += std::string(2 * depth, ' ') + line + "\n";
}

std::string inertial(const InertialParameters& pi) {
  const CenterOfMassInertia body = centerOfMassInertia(pi);
  const Eigen::Matrix3d& I = body.inertia_about_com;
  std::string text;
  append(text, 3, "<inertial>");
  append(text, 4, "<pose>" + xmlNumbers(body.com) + " 0 0 0</pose>");
  append(text, 4, "<mass>" + xmlNumber(body.mass) + "</mass>");
  append(text, 4, "<inertia>");
  const auto entry = [&](const char* name, double value) {
    append(text, 5, fmt::format("<{0}>{1}</{0}>", name, xmlNumber(value)));
  };
  entry("ixx", I(0, 0));
  entry("ixy", I(0, 1));
  entry("ixz", I(0, 2));
  entry("iyy", I(1, 1));
  entry("iyz", I(1, 2));
  entry("izz", I(2, 2));
  append(text, 4, "</inertia>");
  append(text, 3, "</inertial>");
  return text;
}

/// Frames of the links behind fixed joints of a link.
std::string frames(const std::vector<Body::FixedLink>& links, const std::string& link) {
  std::string text;
  for (size_t i = 1; i < links.size(); ++i) {
    append(
        text,
        2,
        fmt::format(
            "<frame name=\"{}\" attached_to=\"{}\">", xmlEscaped(links[i].name), xmlEscaped(link)));
    append(text, 3, poseOf(links[i].X_BL, link));
    append(text, 2, "</frame>");
  }
  return text;
}

bool isMimic(const Robot& robot, const Body& body) {
  return robot.treeJoint(body.joint).name != body.joint_name;
}

std::string link(const Body& body, const std::string& parent, const InertialParameters& pi) {
  std::string text;
  append(text, 2, fmt::format("<link name=\"{}\">", xmlEscaped(body.name)));
  append(text, 3, poseOf(body.X_PJ, parent));
  text += inertial(pi);
  append(text, 2, "</link>");
  return text + frames(body.links, body.name);
}

std::string joint(const Robot& robot,
                  const Body& body,
                  const std::string& parent,
                  const SimpleJoints& joints,
                  bool rotor_inertia) {
  std::string text;
  append(text,
         2,
         fmt::format("<joint name=\"{}\" type=\"{}\">",
                     xmlEscaped(body.joint_name),
                     body.prismatic ? "prismatic" : "revolute"));
  append(text, 3, "<parent>" + xmlEscaped(parent) + "</parent>");
  append(text, 3, "<child>" + xmlEscaped(body.name) + "</child>");
  append(text, 3, "<axis>");
  append(text, 4, "<xyz>" + xmlNumbers(body.axis) + "</xyz>");
  const Joint& independent = robot.treeJoint(body.joint);
  append(text, 4, "<limit>");
  const bool follows = isMimic(robot, body);
  const auto position = [&](double limit, const char* none) {
    return !follows && std::isfinite(limit) ? xmlNumber(limit) : none;
  };
  append(text, 5, "<lower>" + position(independent.limits.lower, "-1e16") + "</lower>");
  append(text, 5, "<upper>" + position(independent.limits.upper, "1e16") + "</upper>");
  if (!follows && std::isfinite(independent.limits.effort))
    append(text, 5, "<effort>" + xmlNumber(independent.limits.effort) + "</effort>");
  if (!follows && std::isfinite(independent.limits.velocity))
    append(text, 5, "<velocity>" + xmlNumber(independent.limits.velocity) + "</velocity>");
  append(text, 4, "</limit>");
  if (!follows && body.joint < robot.numJoints()) {
    append(text, 4, "<dynamics>");
    append(text, 5, "<damping>" + xmlNumber(joints.damping(body.joint)) + "</damping>");
    append(text, 5, "<friction>" + xmlNumber(joints.friction(body.joint)) + "</friction>");
    if (joints.stiffness(body.joint) > 0.0) {
      append(text,
             5,
             "<spring_reference>" + xmlNumber(joints.spring_reference(body.joint)) +
                 "</spring_reference>");
      append(
          text,
          5,
          "<spring_stiffness>" + xmlNumber(joints.stiffness(body.joint)) + "</spring_stiffness>");
    }
    append(text, 4, "</dynamics>");
  }
  append(text, 3, "</axis>");
  if (rotor_inertia && !follows && body.joint < robot.numJoints())
    append(text,
           3,
           "<drake:rotor_inertia>" + xmlNumber(joints.armature(body.joint)) +
               "</drake:rotor_inertia>");
  append(text, 2, "</joint>");
  return text;
}

/// The root link. If it is fixed to the world and has no inertia, it gets the default inertia of
/// SDF, which has no effect.
std::string rootLink(const Model& model) {
  const Robot& robot = *model.robot;
  std::optional<InertialParameters> pi = robot.root_prior;
  if (hasRootBody(robot)) pi = model.body(robot.numBodies() - 1);
  if (robot.floating_base && !pi)
    throw InputError(
        "no SDF is written: the base floats, and neither the logs nor the URDF say what its link "
        "\"" +
        robot.root_link + "\" weighs");
  std::string text;
  const std::string name = xmlEscaped(robot.root_link);
  append(text, 2, fmt::format("<link name=\"{}\">", name));
  if (pi && (*pi)(0) > 0.0) text += inertial(*pi);
  append(text, 2, "</link>");
  text += frames(robot.root_links, robot.root_link);
  if (robot.floating_base) return text;
  append(text, 2, fmt::format("<joint name=\"{}_to_world\" type=\"fixed\">", name));
  append(text, 3, "<parent>world</parent>");
  append(text, 3, "<child>" + name + "</child>");
  append(text, 2, "</joint>");
  return text;
}

}  // namespace

std::string writeSdf(const Model& model, const SimpleJoints& joints, bool rotor_inertia) {
  const Robot& robot = *model.robot;
  std::string text = fmt::format("<?xml version=\"1.0\"?>\n<sdf version=\"1.9\"{}>\n",
                                 rotor_inertia ? " xmlns:drake=\"http://drake.mit.edu\"" : "");
  append(text, 1, "<!-- Dynamics identified by dynid. SI units. -->");
  append(text, 1, fmt::format("<model name=\"{}\">", xmlEscaped(robot.name)));
  text += rootLink(model);
  const int bodies = robot.numBodies() - (hasRootBody(robot) ? 1 : 0);
  for (int k = 0; k < bodies; ++k) {
    const Body& body = robot.bodies[k];
    const std::string& parent = body.parent < 0 ? robot.root_link : robot.bodies[body.parent].name;
    text += link(body, parent, model.body(k));
    text += joint(robot, body, parent, joints, rotor_inertia);
  }
  append(text, 1, "</model>");
  return text + "</sdf>\n";
}

std::vector<std::string> sdfLosses(const Robot& robot) {
  std::vector<std::string> sentences;
  for (const Body& body : robot.bodies)
    if (body.name != robot.root_link && isMimic(robot, body))
      sentences.push_back("SDF 1.9 has no mimic joints: " + body.joint_name +
                          " moves freely instead of following " + robot.treeJoint(body.joint).name);
  return sentences;
}

}  // namespace dynid
