#include "dynid/model/mjcf_writer.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/model/xml_text.h"
#include "dynid/robot/root_body.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

/// [rad or m] Stands for the missing one of two position limits: `range` has two numbers.
constexpr double kNoLimit = 1e9;

/// w x y z
std::string quaternion(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return xmlNumbers(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z()));
}

std::string poseAttributes(const Transform& X) {
  return fmt::format(" pos=\"{}\" quat=\"{}\"", xmlNumbers(X.p), quaternion(X.R));
}

class MjcfTree {
 public:
  MjcfTree(const Model& model, const SimpleJoints& joints)
      : model_(model), robot_(*model.robot), joints_(joints) {}

  std::string worldBody() {
    append(0, "<worldbody>");
    const std::string root_name = xmlEscaped(robot_.root_link);
    append(1, fmt::format("<body name=\"{}\">", root_name));
    if (robot_.floating_base) append(2, fmt::format("<freejoint name=\"{}_free\"/>", root_name));
    if (const auto root = rootInertia()) append(2, mjcfInertial(*root));
    for (size_t i = 1; i < robot_.root_links.size(); ++i) appendSite(2, robot_.root_links[i]);
    appendChildren(-1, 2);
    append(1, "</body>");
    append(0, "</worldbody>");
    return text_;
  }

  /// Mimic joints follow their master.
  std::string equality() {
    text_.clear();
    for (const Body& body : robot_.bodies) {
      if (!isMimic(body)) continue;
      append(1,
             fmt::format("<joint joint1=\"{}\" joint2=\"{}\" polycoef=\"{} {} 0 0 0\"/>",
                         xmlEscaped(body.joint_name),
                         xmlEscaped(robot_.treeJoint(body.joint).name),
                         xmlNumber(body.offset),
                         xmlNumber(body.multiplier)));
    }
    return text_.empty() ? "" : "  <equality>\n" + text_ + "  </equality>\n";
  }

 private:
  bool isRoot(size_t k) const { return hasRootBody(robot_) && k + 1 == robot_.bodies.size(); }

  bool isMimic(const Body& body) const {
    return body.name != robot_.root_link && robot_.treeJoint(body.joint).name != body.joint_name;
  }

  std::optional<InertialParameters> rootInertia() const {
    if (hasRootBody(robot_)) return model_.body(robot_.numBodies() - 1);
    if (robot_.floating_base && !robot_.root_prior)
      throw InputError(
          "no MJCF is written: the base floats, and neither the logs nor the URDF say "
          "what its link \"" +
          robot_.root_link + "\" weighs");
    return robot_.root_prior;
  }

  std::string joint(const Body& body) const {
    std::string text = fmt::format("<joint name=\"{}\" type=\"{}\" axis=\"{}\"",
                                   xmlEscaped(body.joint_name),
                                   body.prismatic ? "slide" : "hinge",
                                   xmlNumbers(body.axis));
    const Joint& independent = robot_.treeJoint(body.joint);
    if (isMimic(body) || body.joint >= robot_.numJoints()) return text + "/>";
    if (std::isfinite(independent.limits.lower) || std::isfinite(independent.limits.upper))
      text += fmt::format(" limited=\"true\" range=\"{} {}\"",
                          xmlNumber(std::max(independent.limits.lower, -kNoLimit)),
                          xmlNumber(std::min(independent.limits.upper, kNoLimit)));
    if (std::isfinite(independent.limits.effort))
      text += fmt::format(" actuatorfrclimited=\"true\" actuatorfrcrange=\"{0} {1}\"",
                          xmlNumber(-independent.limits.effort),
                          xmlNumber(independent.limits.effort));
    text += fmt::format(" damping=\"{}\" frictionloss=\"{}\" armature=\"{}\"",
                        xmlNumber(joints_.damping(body.joint)),
                        xmlNumber(joints_.friction(body.joint)),
                        xmlNumber(joints_.armature(body.joint)));
    if (joints_.stiffness(body.joint) > 0.0)
      text += fmt::format(" stiffness=\"{}\" springref=\"{}\"",
                          xmlNumber(joints_.stiffness(body.joint)),
                          xmlNumber(joints_.spring_reference(body.joint)));
    return text + "/>";
  }

  void appendSite(int depth, const Body::FixedLink& link) {
    append(depth,
           fmt::format("<site name=\"{}\"{}/>", xmlEscaped(link.name), poseAttributes(link.X_BL)));
  }

  void appendChildren(int parent, int depth) {
    for (size_t k = 0; k < robot_.bodies.size(); ++k) {
      const Body& body = robot_.bodies[k];
      if (body.parent != parent || isRoot(k)) continue;
      append(depth,
             fmt::format("<body name=\"{}\"{}>", xmlEscaped(body.name), poseAttributes(body.X_PJ)));
      append(depth + 1, mjcfInertial(model_.body(static_cast<int>(k))));
      append(depth + 1, joint(body));
      for (size_t i = 1; i < body.links.size(); ++i) appendSite(depth + 1, body.links[i]);
      appendChildren(static_cast<int>(k), depth + 1);
      append(depth, "</body>");
    }
  }

  void append(int depth, const std::string& line) {
    text_ += std::string(2 * depth + 2, ' ') + line + "\n";
  }

  const Model& model_;
  const Robot& robot_;
  const SimpleJoints& joints_;
  std::string text_;
};

}  // namespace

std::string mjcfInertial(const InertialParameters& pi) {
  const CenterOfMassInertia body = centerOfMassInertia(pi);
  const Eigen::Matrix3d& I = body.inertia_about_com;
  const std::string place =
      fmt::format("<inertial pos=\"{}\" mass=\"{}\"", xmlNumbers(body.com), xmlNumber(body.mass));
  const bool diagonal = I(0, 1) == 0.0 && I(0, 2) == 0.0 && I(1, 2) == 0.0;
  if (diagonal) return fmt::format("{} diaginertia=\"{}\"/>", place, xmlNumbers(I.diagonal()));
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(I);
  Eigen::Matrix3d axes = principal.eigenvectors();
  if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
  return fmt::format("{} quat=\"{}\" diaginertia=\"{}\"/>",
                     place,
                     quaternion(axes),
                     xmlNumbers(principal.eigenvalues()));
}

std::string writeMjcf(const Model& model, const SimpleJoints& joints) {
  MjcfTree tree(model, joints);
  std::string text = fmt::format(
      "<mujoco model=\"{}\">\n  <!-- Dynamics identified by dynid. SI units. -->\n"
      "  <compiler angle=\"radian\"/>\n  <option gravity=\"{}\"/>\n",
      xmlEscaped(model.robot->name),
      xmlNumbers(model.robot->gravity));
  text += tree.worldBody();
  return text + tree.equality() + "</mujoco>\n";
}

}  // namespace dynid
