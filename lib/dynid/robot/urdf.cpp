#include "dynid/robot/urdf.h"

#include "dynid/core/text.h"
#include "dynid/robot/source_place.h"
#include "dynid/robot/xml_place.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <map>

namespace dynid {
namespace {

/// Rounding of printed inertias may push a zero principal moment below zero by this part of the
/// largest one.
constexpr double kMomentRounding = 1e-5;

std::string number(double value) { return toText(value, 6); }

Transform readOrigin(const XmlPlace& owner) {
  const std::optional<XmlPlace> origin = owner.child("origin");
  if (!origin) return {};
  return {rotationFromRpy(origin->vector("rpy", Eigen::Vector3d::Zero())),
          origin->vector("xyz", Eigen::Vector3d::Zero())};
}

std::optional<InertialParameters> readInertial(const XmlPlace& link, const std::string& name) {
  const std::optional<XmlPlace> inertial = link.child("inertial");
  if (!inertial) return std::nullopt;
  const std::optional<XmlPlace> mass_element = inertial->child("mass");
  if (!mass_element)
    inertial->fail("<inertial> of link \"" + name +
                   "\" has no <mass>; add it or remove the <inertial>");
  const double mass = mass_element->requiredNumber("value");
  Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
  if (const std::optional<XmlPlace> inertia = inertial->child("inertia")) {
    const double xx = inertia->requiredNumber("ixx"), yy = inertia->requiredNumber("iyy"),
                 zz = inertia->requiredNumber("izz"), xy = inertia->number("ixy", 0.0),
                 xz = inertia->number("ixz", 0.0), yz = inertia->number("iyz", 0.0);
    I = Eigen::Matrix3d{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
  }
  if (mass == 0.0 && I.isZero(0.0)) return std::nullopt;  // what some exporters write for "unknown"
  if (mass <= 0.0)
    mass_element->fail("link \"" + name + "\" has a non-positive mass of " + number(mass) +
                       " kg; give a positive mass, or remove the <inertial> if it is not known");
  const Eigen::Vector3d moments =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(I, Eigen::EigenvaluesOnly).eigenvalues();
  if (moments(0) < -kMomentRounding * moments.cwiseAbs().maxCoeff()) {
    const XmlPlace at = inertial->child("inertia").value_or(*inertial);
    at.fail("link \"" + name + "\" has a non-positive inertia (principal moment " +
            number(moments(0)) +
            " kg m^2 about its centre of mass); check the signs and whether ixx ... izz are taken "
            "about the centre of "
            "mass, or remove the <inertial> if it is not known");
  }
  const Transform X_LC = readOrigin(*inertial);
  return inertialFromCenterOfMass(mass, X_LC.p, X_LC.R * I * X_LC.R.transpose());
}

UrdfJointType readType(const XmlPlace& joint, const std::string& name) {
  static const std::map<std::string, UrdfJointType> kinds = {
      {"fixed", UrdfJointType::kFixed},
      {"revolute", UrdfJointType::kRevolute},
      {"continuous", UrdfJointType::kContinuous},
      {"prismatic", UrdfJointType::kPrismatic},
      {"floating", UrdfJointType::kFloating}};
  const std::string type = joint.name("type");
  const auto found = kinds.find(type);
  if (found != kinds.end()) return found->second;
  if (type == "planar")
    joint.fail("joint \"" + name +
               "\" is planar, which is not supported; write it as two prismatic joints and a "
               "revolute one");
  std::vector<std::string> names;
  names.reserve(kinds.size());
  for (const auto& [key, kind] : kinds) names.push_back(key);
  joint.fail("joint \"" + name + "\" has the unknown type \"" + type + "\"" +
             didYouMean(type, names) + " (types: " + join(names) + ")");
}

JointLimits readLimits(const XmlPlace& joint, const std::string& name, bool continuous) {
  JointLimits limits;
  const std::optional<XmlPlace> limit = joint.child("limit");
  if (!limit) return limits;
  const bool bounded = !continuous && (limit->text("lower") || limit->text("upper"));
  if (bounded) {
    limits.lower = limit->number("lower", 0.0);
    limits.upper = limit->number("upper", 0.0);
    if (limits.lower > limits.upper)
      limit->fail("joint \"" + name + "\" has the lower limit " + number(limits.lower) +
                  " above the upper limit " + number(limits.upper) + "; swap or mend them");
  }
  const auto positive = [&](const char* attribute) {
    const double value = limit->number(attribute, 0.0);
    if (value < 0.0)
      limit->fail("joint \"" + name + "\" has the negative " + attribute + " limit " +
                  number(value) + "; give a positive one, or 0 for none");
    if (value == 0.0) return kInfinity;
    return value;
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

UrdfJoint readJoint(const XmlPlace& element) {
  UrdfJoint joint;
  joint.name = element.name("name");
  joint.line = element.line();
  joint.type = readType(element, joint.name);
  joint.parent = readLinkName(element, "parent", joint.name);
  joint.child = readLinkName(element, "child", joint.name);
  joint.X_PC = readOrigin(element);
  if (!joint.moves()) return joint;
  if (const std::optional<XmlPlace> axis = element.child("axis")) {
    joint.axis = axis->vector("xyz", Eigen::Vector3d::UnitX());
    const double length = joint.axis.stableNorm();
    if (length == 0.0)
      axis->fail("joint \"" + joint.name +
                 "\" has a zero axis; give its direction, such as xyz=\"0 0 1\"");
    joint.axis = (joint.axis / length).normalized();
  }
  joint.limits = readLimits(element, joint.name, joint.type == UrdfJointType::kContinuous);
  if (const std::optional<XmlPlace> dynamics = element.child("dynamics")) {
    joint.damping = dynamics->number("damping", 0.0);
    joint.friction = dynamics->number("friction", 0.0);
  }
  if (const std::optional<XmlPlace> mimic = element.child("mimic"))
    joint.mimic = UrdfJoint::Mimic{mimic->name("joint"),
                                   mimic->line(),
                                   mimic->number("multiplier", 1.0),
                                   mimic->number("offset", 0.0)};
  return joint;
}

const tinyxml2::XMLElement& parseXml(tinyxml2::XMLDocument& xml,
                                     const std::string& text,
                                     const std::string& file) {
  if (trim(text).empty()) throw InputError(file + ": is empty; a URDF is expected");
  if (text.find('\0') != std::string::npos)
    throw InputError(file + ": is a binary file; a URDF is expected");
  if (xml.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS)
    failAt(file,
           xml.ErrorLineNum(),
           "not well-formed XML (" + std::string(xml.ErrorName()) +
               "); check that every tag is closed and every quote paired");
  const tinyxml2::XMLElement* root = xml.RootElement();
  if (root == nullptr)
    throw InputError(file + ":1: has no element; a URDF with a <robot> is expected");
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
           std::string("a second ") + kind + " named \"" + item.name + "\" (the first is in line " +
               std::to_string(earlier->second) + "); names must be unique");
  items.push_back(std::move(item));
}

void readElements(const tinyxml2::XMLElement& root, UrdfDocument& document) {
  std::map<std::string, int> link_lines, joint_lines;
  for (const tinyxml2::XMLElement* e = root.FirstChildElement(); e != nullptr;
       e = e->NextSiblingElement()) {
    const XmlPlace place(*e, document.file);
    const std::string tag = e->Name();
    if (tag.rfind("xacro:", 0) == 0)
      place.fail("<" + tag +
                 "> is a xacro macro; expand the file first: xacro robot.xacro > robot.urdf");
    if (tag == "link") {
      UrdfLink link;
      link.name = place.name("name");
      link.line = place.line();
      link.inertial = readInertial(place, link.name);
      addNamed(document.links, std::move(link), link_lines, "link", document.file);
    } else if (tag == "joint") {
      addNamed(document.joints, readJoint(place), joint_lines, "joint", document.file);
    }
  }
}

/// One parent a link, one root, everything hangs on it.
void checkTree(UrdfDocument& document) {
  std::map<std::string, size_t> index;
  for (size_t i = 0; i < document.links.size(); ++i) index.emplace(document.links[i].name, i);
  const auto link_of = [&](const UrdfJoint& joint, const std::string& link, const char* end) {
    const auto found = index.find(link);
    if (found == index.end())
      failAt(document.file,
             joint.line,
             "joint \"" + joint.name + "\" names the " + end + " link \"" + link +
                 "\", which the file does not have" + didYouMean(link, document.linkNames()));
    return found->second;
  };
  std::vector<int> joint_above(document.links.size(), -1);
  for (size_t j = 0; j < document.joints.size(); ++j) {
    const UrdfJoint& joint = document.joints[j];
    link_of(joint, joint.parent, "parent");
    int& above = joint_above[link_of(joint, joint.child, "child")];
    if (above >= 0)
      failAt(document.file,
             joint.line,
             "link \"" + joint.child + "\" has two parents, by joint \"" +
                 document.joints[static_cast<size_t>(above)].name + "\" and by joint \"" +
                 joint.name + "\"; a URDF is a tree (describe a parallelogram by mimic joints)");
    above = static_cast<int>(j);
  }
  document.root = -1;
  for (size_t i = 0; i < document.links.size(); ++i) {
    if (joint_above[i] >= 0) continue;
    if (document.root >= 0)
      failAt(document.file,
             document.links[i].line,
             "links \"" + document.links[static_cast<size_t>(document.root)].name + "\" and \"" +
                 document.links[i].name +
                 "\" both have no parent; join the parts by a joint, or remove what does not "
                 "belong to the robot");
    document.root = static_cast<int>(i);
  }
  // Every link but the root has one parent: whoever does not reach the root by walking up sits on
  // or above a cycle.
  std::vector<int> seen_from(document.links.size(), -1);
  for (size_t start = 0; start < document.links.size(); ++start) {
    size_t i = start;
    while (seen_from[i] < 0 && joint_above[i] >= 0) {
      seen_from[i] = static_cast<int>(start);
      i = index.at(document.joints[static_cast<size_t>(joint_above[i])].parent);
    }
    if (joint_above[i] >= 0 && seen_from[i] == static_cast<int>(start)) {
      const UrdfJoint& joint = document.joints[static_cast<size_t>(joint_above[i])];
      failAt(document.file,
             joint.line,
             "joint \"" + joint.name + "\" closes a cycle at link \"" + joint.child +
                 "\"; a URDF is a tree (describe a parallelogram by mimic joints)");
    }
  }
}

template <typename Item>
int findNamed(const std::vector<Item>& items, const std::string& name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return found == items.end() ? -1 : static_cast<int>(found - items.begin());
}

template <typename Item>
std::vector<std::string> namesOf(const std::vector<Item>& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const Item& item : items) names.push_back(item.name);
  return names;
}

}  // namespace

int UrdfDocument::findLink(const std::string& link) const { return findNamed(links, link); }
int UrdfDocument::findJoint(const std::string& joint) const { return findNamed(joints, joint); }
std::vector<std::string> UrdfDocument::linkNames() const { return namesOf(links); }
std::vector<std::string> UrdfDocument::jointNames() const { return namesOf(joints); }

UrdfDocument parseUrdf(const std::string& text, const std::string& file) {
  tinyxml2::XMLDocument xml;
  const tinyxml2::XMLElement& root = parseXml(xml, text, file);
  UrdfDocument document;
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
