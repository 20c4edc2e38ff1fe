#include "dynid/robot/mjcf.h"

#include "dynid/core/printable.h"
#include "dynid/core/text.h"
#include "dynid/robot/mjcf_bodies.h"
#include "dynid/robot/mjcf_couplings.h"
#include "dynid/robot/mjcf_defaults.h"
#include "dynid/robot/mjcf_pose.h"
#include "dynid/robot/plausibility.h"
#include "dynid/robot/xml_place.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

void requireKnownSections(const MjcfElement& root) {
  const std::vector<std::string> known = {"compiler",
                                          "option",
                                          "size",
                                          "visual",
                                          "statistic",
                                          "default",
                                          "custom",
                                          "asset",
                                          "worldbody",
                                          "contact",
                                          "deformable",
                                          "equality",
                                          "tendon",
                                          "actuator",
                                          "sensor",
                                          "keyframe",
                                          "extension"};
  for (const MjcfElement& section : root.children)
    if (std::find(known.begin(), known.end(), section.name) == known.end())
      section.fail(fmt::format(
          "<{}> is not an element of <mujoco>{}", section.name, didYouMean(section.name, known)));
}

void readOptions(const MjcfElement& root, MjcfDocument& document) {
  Remarks& remarks = document.tree.remarks;
  for (const MjcfElement& section : root.children) {
    if (section.name == "compiler")
      for (const char* change : {"boundmass", "boundinertia", "balanceinertia"})
        if (section.has(change) && section.text(change) != "false" && section.text(change) != "0")
          remarks.add("inertias are taken as written, without the changes of <compiler>", change);
    if (section.name != "option") continue;
    document.gravity = section.vector("gravity", document.gravity);
    if (const std::string fault = faultOfGravity(document.gravity); !fault.empty())
      section.fail("<option> gravity: " + fault + "; lengths in m and masses in kg are expected");
    for (const char* fluid : {"density", "viscosity"})
      if (section.number(fluid, 0.0) != 0.0)
        remarks.add("forces of the medium around the robot are not modelled: <option>", fluid);
    for (const MjcfElement& flag : section.children)
      if (flag.name == "flag" && flag.text("gravity") == "disable")
        document.gravity = Eigen::Vector3d::Zero();
  }
}

/// Whether an element turns by an angle that looks like one in degrees.
bool turnsAsInDegrees(const MjcfElement& element) {
  std::vector<double> angles = element.numbers("euler", 3, 3).value_or(std::vector<double>());
  if (const auto turn = element.numbers("axisangle", 4, 4)) angles.push_back(turn->back());
  return std::any_of(angles.begin(), angles.end(), isAsInDegrees);
}

/// The bodies that have an orientation with such an angle themselves, in a frame or in an inertia.
void findBodiesAsInDegrees(const MjcfElement& element,
                           const MjcfElement& body,
                           std::vector<std::string>& bodies) {
  for (const MjcfElement& child : element.children) {
    const bool is_body = child.name == "body";
    if (!is_body && child.name != "frame" && child.name != "inertial") continue;
    const MjcfElement& owner = is_body ? child : body;
    const std::string name = owner.text("name").value_or(fmt::format("(line {})", owner.line));
    if (turnsAsInDegrees(child) && (bodies.empty() || bodies.back() != name))
      bodies.push_back(name);
    findBodiesAsInDegrees(child, owner, bodies);
  }
}

/// Remarks on angles that look as if they were in the other unit than the compiler says.
void noteUnitOfAngles(const MjcfElement& root,
                      const MjcfCompiler& compiler,
                      const std::vector<TreeJoint>& joints,
                      Remarks& remarks) {
  if (compiler.degrees && compiler.angle_given) return;
  std::vector<std::string> bodies;
  for (const MjcfElement& section : root.children)
    if (section.name == "worldbody") findBodiesAsInDegrees(section, section, bodies);
  if (!compiler.degrees) {
    for (const std::string& body : bodies)
      remarks.add("rotations in rad are as large as if in degrees: bodies", body);
    return;
  }
  if (!bodies.empty()) return;
  constexpr double kTurn = 6.3;  // [degrees]: a turn in radians
  std::vector<std::string> limited;
  for (const TreeJoint& joint : joints) {
    if (joint.type != TreeJointType::kRevolute || !std::isfinite(joint.limits.lower)) continue;
    const double farthest = std::max(std::abs(joint.limits.lower), std::abs(joint.limits.upper));
    if (farthest > compiler.angle(kTurn)) return;
    limited.push_back(joint.name);
  }
  for (const std::string& joint : limited)
    remarks.add(
        "ranges in degrees, which MJCF assumes without `angle` of <compiler>, are as small as if "
        "in radians: joints",
        joint);
}

/// `settotalmass`: multiplies all masses and inertias by one factor.
/// @param left_out  mass of the bodies that are not part of the robot [kg]; NaN if unknown
void scaleMasses(const MjcfCompiler& compiler, double left_out, TreeDocument& tree) {
  if (!(compiler.total_mass > 0.0)) return;
  double sum = left_out;
  bool known = true;
  for (const TreeLink& link : tree.links) {
    known = known && link.fault == InertialFault::kNone;
    if (link.inertial) sum += (*link.inertial)(0);
  }
  if (!known || !(sum > 0.0)) {
    tree.remarks.add("inertias are taken as written, without the changes of <compiler>",
                     "settotalmass");
    return;
  }
  for (TreeLink& link : tree.links)
    if (link.inertial) *link.inertial *= compiler.total_mass / sum;
}

}  // namespace

MjcfDocument readMjcf(const MjcfElement& root) {
  requireKnownSections(root);
  MjcfDocument document;
  TreeDocument& tree = document.tree;
  tree.file = *root.file;
  tree.name = root.text("model").value_or("robot");
  if (!isUtf8(tree.name)) root.fail("the model's name is not UTF-8; save the file as UTF-8");
  const MjcfCompiler compiler = readMjcfCompiler(root);
  const MjcfDefaults defaults(root);
  readOptions(root, document);
  MjcfBodies bodies = readMjcfBodies(root, compiler, defaults, tree.remarks);
  noteUnitOfAngles(root, compiler, bodies.joints, tree.remarks);
  document.loops = readMjcfEqualities(root, defaults, bodies, tree.remarks);
  document.actuated = readMjcfActuators(root, defaults, bodies, tree.remarks);
  document.names = std::move(bodies.names);
  tree.links = std::move(bodies.links);
  tree.joints = std::move(bodies.joints);
  scaleMasses(compiler, bodies.mass_left_out, tree);
  checkTree(tree);
  return document;
}

std::map<int, std::string> mjcfNames(const std::string& text) {
  const MjcfLoader refuse = [](const MjcfElement& include, const std::string&) -> MjcfIncluded {
    include.fail("<include> is not expected in a text that holds the whole model");
  };
  return readMjcf(parseMjcfElements(text, "the MJCF", refuse)).names;
}

}  // namespace dynid
