#include "dynid/robot/urdf.h"

#include "dynid/core/printable.h"
#include "dynid/core/text.h"
#include "dynid/robot/plausibility.h"
#include "dynid/robot/source_place.h"
#include "dynid/robot/xml_place.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <sstream>
#include <vector>

namespace dynid {
namespace {

/// The rotation of `quat_xyzw="x y z w"`, which newer URDFs may have instead of rpy.
Eigen::Matrix3d readQuaternion(const XmlPlace& origin, const std::string& text) {
  if (origin.text("rpy")) origin.fail("<origin> has both rpy and quat_xyzw; keep one");
  std::istringstream words(text);
  std::vector<double> numbers;
  bool all_numbers = true;
  for (std::string word; words >> word;) {
    const std::optional<double> number = parseFinite(word);
    all_numbers = all_numbers && number.has_value();
    numbers.push_back(number.value_or(0.0));
  }
  if (!all_numbers || numbers.size() != 4)
    origin.fail("quat_xyzw=\"" + text + "\": four numbers x y z w are expected");
  const Eigen::Quaterniond q(numbers[3], numbers[0], numbers[1], numbers[2]);
  if (!(std::abs(q.norm() - 1.0) < 1e-3))
    origin.fail("quat_xyzw=\"" + text + "\": a quaternion of length 1 is expected");
  return q.normalized().toRotationMatrix();
}

/// @param kind, name  what the origin belongs to ("joints", "j1"), for the remark
Transform readOrigin(const XmlPlace& owner,
                     const std::string& kind,
                     const std::string& name,
                     Remarks& remarks) {
  const std::optional<XmlPlace> origin = owner.child("origin");
  if (!origin) return {};
  if (const std::optional<std::string> quaternion = origin->text("quat_xyzw"))
    return {readQuaternion(*origin, *quaternion), origin->vector("xyz", Eigen::Vector3d::Zero())};
  const Eigen::Vector3d rpy = origin->vector("rpy", Eigen::Vector3d::Zero());
  if (std::any_of(rpy.begin(), rpy.end(), isAsInDegrees))
    remarks.add("rotations in rad are as large as if in degrees: " + kind, name);
  return {rotationFromRpy(rpy), origin->vector("xyz", Eigen::Vector3d::Zero())};
}

/// A number of an `<inertial>`. nan and inf are accepted, because exporters write them for
/// "unknown".
double inertialNumber(const XmlPlace& place, const char* attribute, bool required = true) {
  const std::optional<std::string> text = place.text(attribute);
  if (text) {
    const std::string_view word = trim(*text);
    for (const char* unknown : {"nan", "-nan", "NaN", "inf", "-inf", "Infinity", "-Infinity"})
      if (word == unknown) return std::numeric_limits<double>::quiet_NaN();
  }
  return required ? place.requiredNumber(attribute) : place.number(attribute, 0.0);
}

void readMass(const XmlPlace& element, TreeLink& link, Remarks& remarks) {
  link.has_shape = element.has("visual") || element.has("collision");
  const std::optional<XmlPlace> inertial = element.child("inertial");
  if (!inertial) return;
  const std::optional<XmlPlace> mass_element = inertial->child("mass");
  const double mass = mass_element ? inertialNumber(*mass_element, "value") : 0.0;
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  if (const std::optional<XmlPlace> inertia = inertial->child("inertia")) {
    const double xx = inertialNumber(*inertia, "ixx"), yy = inertialNumber(*inertia, "iyy"),
                 zz = inertialNumber(*inertia, "izz"), xy = inertialNumber(*inertia, "ixy", false),
                 xz = inertialNumber(*inertia, "ixz", false),
                 yz = inertialNumber(*inertia, "iyz", false);
    I = Eigen::Matrix3d{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
  }
  if (mass == 0.0 && I.isZero(0.0)) return;  // exporters write this for "unknown"
  link.fault = mass_element ? faultOf(mass, I) : InertialFault::kMassMissing;
  const Transform X_LC = readOrigin(*inertial, "inertias of links", link.name, remarks);
  const InertialParameters pi =
      inertialFromCenterOfMass(mass, X_LC.p, X_LC.R * I * X_LC.R.transpose());
  if (link.fault != InertialFault::kNone)
    link.rejected = pi;
  else
    link.inertial = pi;
}

TreeJointType readType(const XmlPlace& joint, const std::string& name) {
  static const std::map<std::string, TreeJointType> kinds = {
      {"fixed", TreeJointType::kFixed},
      {"revolute", TreeJointType::kRevolute},
      {"continuous", TreeJointType::kContinuous},
      {"prismatic", TreeJointType::kPrismatic},
      {"floating", TreeJointType::kFloating}};
  const std::string type = joint.name("type");
  const auto found = kinds.find(type);
  if (found != kinds.end()) return found->second;
  if (type == "planar" || type == "spherical" || type == "ball") return TreeJointType::kUnsupported;
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const auto& [key, kind] : kinds) names.push_back(key);
  joint.fail("joint \"" + name + "\" has the unknown type \"" + type + "\"" +
             didYouMean(type, names) + " (types: " + join(names) + ")");
}

JointLimits readLimits(const XmlPlace& joint,
                       const std::string& name,
                       bool continuous,
                       Remarks& remarks) {
  JointLimits limits;
  const std::optional<XmlPlace> limit = joint.child("limit");
  if (!limit) return limits;
  const bool bounded = !continuous && (limit->text("lower") || limit->text("upper"));
  if (bounded) {
    limits.lower = limit->number("lower", 0.0);
    limits.upper = limit->number("upper", 0.0);
    if (limits.lower > limits.upper) {
      remarks.add("a lower limit above the upper limit is no limit: joints", name);
      limits.lower = -kInfinity;
      limits.upper = kInfinity;
    }
  }
  const auto positive = [&](const char* attribute) {
    const double value = limit->number(attribute, 0.0);
    if (value < 0.0)
      remarks.add(std::string("a negative ") + attribute + " limit is no limit: joints", name);
    if (value > 0.0) return value;
    return kInfinity;
  };
  limits.velocity = positive("velocity");
  limits.effort = positive("effort");
  return limits;
}

std::string readLinkName(const XmlPlace& joint, const char* end, const std::string& name) {
  const std::optional<XmlPlace> element = joint.child(end);
  if (!element) joint.fail("joint \"" + name + "\" has no <" + end + " link=\"...\"/>");
  return element->name("link");
}

TreeJoint readJoint(const XmlPlace& element, Remarks& remarks) {
  TreeJoint joint;
  joint.name = element.name("name");
  joint.line = element.line();
  joint.type = readType(element, joint.name);
  if (joint.type == TreeJointType::kUnsupported) joint.unsupported = element.name("type");
  joint.parent = readLinkName(element, "parent", joint.name);
  joint.child = readLinkName(element, "child", joint.name);
  joint.X_PF = readOrigin(element, "joints", joint.name, remarks);
  if (!joint.moves() || joint.type == TreeJointType::kUnsupported) return joint;
  if (const std::optional<XmlPlace> axis = element.child("axis")) {
    joint.axis = axis->vector("xyz", Eigen::Vector3d::UnitX());
    const double length = joint.axis.stableNorm();
    if (length == 0.0)
      axis->fail("joint \"" + joint.name +
                 "\" has a zero axis; give its direction, such as xyz=\"0 0 1\"");
    joint.axis = (joint.axis / length).normalized();
  }
  joint.limits = readLimits(element, joint.name, joint.type == TreeJointType::kContinuous, remarks);
  if (const std::optional<XmlPlace> dynamics = element.child("dynamics")) {
    const auto effect = [&](const char* attribute) {
      const double value = dynamics->number(attribute, 0.0);
      if (value >= 0.0) return value;
      remarks.add(fmt::format("a negative {} is not used: joints", attribute), joint.name);
      return 0.0;
    };
    joint.damping = effect("damping");
    joint.friction = effect("friction");
  }
  if (const std::optional<XmlPlace> mimic = element.child("mimic"))
    joint.mimic = TreeJoint::Mimic{mimic->name("joint"),
                                   mimic->line(),
                                   mimic->number("multiplier", 1.0),
                                   mimic->number("offset", 0.0)};
  return joint;
}

const tinyxml2::XMLElement& parseRobotElement(tinyxml2::XMLDocument& xml,
                                              const std::string& text,
                                              const std::string& file) {
  parseXml(text, file, "a URDF", xml);
  const tinyxml2::XMLElement* root = xml.RootElement();
  if (root == nullptr)
    throw InputError(file + ":1: has no element; a URDF with a <robot> is expected");
  if (std::string(root->Name()) == "sdf")
    failAt(file,
           root->GetLineNum(),
           "is an SDF, which is only written (export), not read; give the robot's URDF or MJCF");
  if (std::string(root->Name()) != "robot")
    failAt(file,
           root->GetLineNum(),
           "starts with <" + std::string(root->Name()) + ">; a URDF with a <robot> is expected");
  return *root;
}

template <typename Item>
void addNamed(std::vector<Item>& items,
              Item item,
              std::map<std::string, int>& lines,
              const char* kind,
              const std::string& file) {
  const auto [earlier, added] = lines.emplace(item.name, item.line);
  if (!added)
    failAt(file,
           item.line,
           fmt::format("a second {} named \"{}\" (the first is in line {}); names must be unique",
                       kind,
                       item.name,
                       earlier->second));
  items.push_back(std::move(item));
}

void readElements(const tinyxml2::XMLElement& root, TreeDocument& document) {
  std::map<std::string, int> link_lines, joint_lines;
  for (const tinyxml2::XMLElement* e = root.FirstChildElement(); e != nullptr;
       e = e->NextSiblingElement()) {
    const XmlPlace place(*e, document.file);
    const std::string tag = e->Name();
    if (tag.rfind("xacro:", 0) == 0)
      place.fail("<" + tag +
                 "> is a xacro macro; expand the file first: xacro robot.xacro > robot.urdf");
    if (tag == "link") {
      TreeLink link;
      link.name = place.name("name");
      link.line = place.line();
      readMass(place, link, document.remarks);
      addNamed(document.links, std::move(link), link_lines, "link", document.file);
    } else if (tag == "joint") {
      addNamed(
          document.joints, readJoint(place, document.remarks), joint_lines, "joint", document.file);
    }
  }
}

}  // namespace

TreeDocument parseUrdf(const std::string& text, const std::string& file) {
  tinyxml2::XMLDocument xml;
  const tinyxml2::XMLElement& root = parseRobotElement(xml, text, file);
  TreeDocument document;
  document.file = file;
  document.name = root.Attribute("name") != nullptr ? root.Attribute("name") : "robot";
  if (!isUtf8(document.name))
    failAt(file, root.GetLineNum(), "the robot's name is not UTF-8; save the file as UTF-8");
  readElements(root, document);
  if (document.links.empty())
    failAt(file, root.GetLineNum(), "<robot> has no <link>; a URDF with links is expected");
  checkTree(document);
  return document;
}

}  // namespace dynid
