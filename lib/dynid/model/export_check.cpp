#include "dynid/model/export_check.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/robot/root_body.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <random>
#include <tinyxml2.h>

namespace dynid {
namespace {

using tinyxml2::XMLElement;

/// The root element. @throws InputError
const XMLElement& parsed(tinyxml2::XMLDocument& document, const std::string& text) {
  if (document.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS ||
      document.RootElement() == nullptr)
    throw InputError(std::string("the exported file is not XML: ") + document.ErrorStr());
  return *document.RootElement();
}

const XMLElement& child(const XMLElement& element, const char* name) {
  const XMLElement* found = element.FirstChildElement(name);
  if (found == nullptr)
    throw InputError(std::string("the exported file has no <") + name + "> in <" + element.Name() +
                     ">");
  return *found;
}

Eigen::VectorXd numbers(const char* text, Eigen::Index count) {
  const std::vector<std::string> words = splitWords(text == nullptr ? "" : text);
  Eigen::VectorXd values(count);
  if (std::ssize(words) != count)
    throw InputError(
        fmt::format("the exported file has {} numbers where {} are expected", words.size(), count));
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto value = parseFinite(words[i]);
    if (!value) throw InputError("the exported file has no number: " + words[i]);
    values(i) = *value;
  }
  return values;
}

std::string attribute(const XMLElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value == nullptr ? "" : value;
}

Eigen::Matrix3d symmetric(double xx, double yy, double zz, double xy, double xz, double yz) {
  return Eigen::Matrix3d{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
}

/// `quat` of an MJCF element; the identity if it is missing.
Eigen::Matrix3d rotation(const XMLElement& element) {
  if (element.Attribute("quat") == nullptr) return Eigen::Matrix3d::Identity();
  const Eigen::Vector4d q = numbers(element.Attribute("quat"), 4);
  return Eigen::Quaterniond(q(0), q(1), q(2), q(3)).normalized().toRotationMatrix();
}

void readMjcfBody(const XMLElement& element,
                  const std::string& parent,
                  std::map<std::string, ReadBackBody>& bodies) {
  ReadBackBody body;
  body.parent = parent;
  if (element.Attribute("pos") != nullptr) body.X_PB.p = numbers(element.Attribute("pos"), 3);
  body.X_PB.R = rotation(element);
  if (const XMLElement* inertial = element.FirstChildElement("inertial")) {
    const Eigen::Vector3d moments = numbers(inertial->Attribute("diaginertia"), 3);
    const Eigen::Matrix3d axes = rotation(*inertial);
    body.inertial = inertialFromCenterOfMass(numbers(inertial->Attribute("mass"), 1)(0),
                                             numbers(inertial->Attribute("pos"), 3),
                                             axes * moments.asDiagonal() * axes.transpose());
  }
  if (const XMLElement* joint = element.FirstChildElement("joint")) {
    body.joint = attribute(*joint, "name");
    body.prismatic = attribute(*joint, "type") == "slide";
    body.axis = numbers(joint->Attribute("axis"), 3);
  }
  const std::string name = attribute(element, "name");
  bodies[name] = body;
  for (const XMLElement* next = element.FirstChildElement("body"); next != nullptr;
       next = next->NextSiblingElement("body"))
    readMjcfBody(*next, name, bodies);
}

InertialParameters sdfInertial(const XMLElement& element) {
  const XMLElement& inertia = child(element, "inertia");
  const auto entry = [&](const char* name) {
    return numbers(child(inertia, name).GetText(), 1)(0);
  };
  return inertialFromCenterOfMass(
      numbers(child(element, "mass").GetText(), 1)(0),
      numbers(child(element, "pose").GetText(), 6).head<3>(),
      symmetric(
          entry("ixx"), entry("iyy"), entry("izz"), entry("ixy"), entry("ixz"), entry("iyz")));
}

/// Largest difference of the efforts of both robots at random states, relative to the largest
/// effort.
double largestDifference(const Model& model, const Robot& other, const Eigen::VectorXd& theirs) {
  constexpr int kStates = 50;
  const Robot& robot = *model.robot;
  const Eigen::VectorXd ours = model.parameters.head(10 * robot.numBodies());
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto draw = [&](double scale) {
    Eigen::VectorXd v(robot.numJoints());
    for (double& value : v) value = scale * unit(random);
    return v;
  };
  double difference = 0.0, largest = 0.0;
  for (int i = 0; i < kStates; ++i) {
    const Eigen::VectorXd q = closablePosition(robot, [&] { return draw(3.0); });
    const Eigen::VectorXd dq = draw(2.0), ddq = draw(5.0);
    const Eigen::VectorXd tau = inverseDynamics(robot, ours, q, dq, ddq);
    difference = std::max(difference,
                          (tau - inverseDynamics(other, theirs, q, dq, ddq)).cwiseAbs().maxCoeff());
    largest = std::max(largest, tau.cwiseAbs().maxCoeff());
  }
  return largest > 0.0 ? difference / largest : difference;
}

}  // namespace

std::map<std::string, ReadBackBody> bodiesOfMjcf(const std::string& text) {
  tinyxml2::XMLDocument document;
  std::map<std::string, ReadBackBody> bodies;
  const XMLElement& world = child(parsed(document, text), "worldbody");
  for (const XMLElement* body = world.FirstChildElement("body"); body != nullptr;
       body = body->NextSiblingElement("body"))
    readMjcfBody(*body, "", bodies);
  return bodies;
}

std::map<std::string, ReadBackBody> bodiesOfSdf(const std::string& text) {
  tinyxml2::XMLDocument document;
  const XMLElement& model = child(parsed(document, text), "model");
  std::map<std::string, ReadBackBody> bodies;
  for (const XMLElement* link = model.FirstChildElement("link"); link != nullptr;
       link = link->NextSiblingElement("link")) {
    ReadBackBody body;
    if (const XMLElement* pose = link->FirstChildElement("pose")) {
      const Eigen::VectorXd x = numbers(pose->GetText(), 6);
      body.X_PB = {rotationFromRpy(x.tail<3>()), x.head<3>()};
      body.parent = attribute(*pose, "relative_to");
    }
    if (const XMLElement* inertial = link->FirstChildElement("inertial"))
      body.inertial = sdfInertial(*inertial);
    bodies[attribute(*link, "name")] = body;
  }
  for (const XMLElement* joint = model.FirstChildElement("joint"); joint != nullptr;
       joint = joint->NextSiblingElement("joint")) {
    if (attribute(*joint, "type") == "fixed") continue;
    ReadBackBody& body = bodies[child(*joint, "child").GetText()];
    body.joint = attribute(*joint, "name");
    body.prismatic = attribute(*joint, "type") == "prismatic";
    body.axis = numbers(child(child(*joint, "axis"), "xyz").GetText(), 3);
  }
  return bodies;
}

double rigidDisagreement(const Model& model, const std::map<std::string, ReadBackBody>& bodies) {
  Robot other = *model.robot;
  Eigen::VectorXd pi(Eigen::Index{10} * other.numBodies());
  for (size_t k = 0; k < other.bodies.size(); ++k) {
    Body& body = other.bodies[k];
    const auto found = bodies.find(body.name);
    if (found == bodies.end())
      throw InputError("the exported file has no body \"" + body.name + "\"");
    pi.segment<10>(10 * k) = found->second.inertial;
    if (body.name == other.root_link) continue;
    const std::string& parent = body.parent < 0 ? other.root_link : other.bodies[body.parent].name;
    if (found->second.parent != parent || found->second.joint != body.joint_name ||
        found->second.prismatic != body.prismatic)
      throw InputError("the exported file attaches \"" + body.name + "\" on \"" +
                       found->second.parent + "\" instead of \"" + parent + "\"");
    body.X_PJ = found->second.X_PB;
    body.axis = found->second.axis;
  }
  return largestDifference(model, other, pi);
}

double rigidDisagreement(const Model& model, const Robot& reloaded) {
  Eigen::VectorXd pi(Eigen::Index{10} * model.robot->numBodies());
  for (int k = 0; k < model.robot->numBodies(); ++k)
    pi.segment<10>(10 * k) = reloaded.bodies.at(k).prior.value_or(InertialParameters::Zero());
  return largestDifference(model, reloaded, pi);
}

}  // namespace dynid
