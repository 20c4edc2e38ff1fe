#include "dynid/robot/mjcf_couplings.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace dynid {
namespace {

TreeJoint* findJoint(MjcfBodies& bodies, const std::string& name) {
  const auto found = std::find_if(
      bodies.joints.begin(), bodies.joints.end(), [&](const auto& j) { return j.name == name; });
  return found == bodies.joints.end() ? nullptr : &*found;
}

TreeJoint& requireJoint(MjcfBodies& bodies, const MjcfElement& element, const char* attribute) {
  const std::string name = element.requiredName(attribute);
  TreeJoint* joint = findJoint(bodies, name);
  if (joint != nullptr && joint->moves()) return *joint;
  std::vector<std::string> names;
  for (const TreeJoint& other : bodies.joints)
    if (other.moves()) names.push_back(other.name);
  element.fail(fmt::format("<{}> {}: the robot has no hinge or slide joint \"{}\"{}",
                           element.name,
                           attribute,
                           name,
                           didYouMean(name, names)));
}

std::string requireBody(const MjcfBodies& bodies,
                        const MjcfElement& element,
                        const char* attribute) {
  std::string name = element.text(attribute).value_or("world");
  if (bodies.bodies.count(name) > 0) return name;
  std::vector<std::string> names;
  for (const auto& [known, place] : bodies.bodies) names.push_back(known);
  element.fail(fmt::format("<{}> {}: the robot has no body \"{}\"{}",
                           element.name,
                           attribute,
                           name,
                           didYouMean(name, names)));
}

/// Whether every joint or body that an element of `<equality>` or `<tendon>` names is left out.
bool actsOnObjects(const MjcfElement& element, const MjcfBodies& bodies) {
  int named = 0;
  int left_out = 0;
  const auto count =
      [&](const MjcfElement& from, const char* attribute, const std::set<std::string>& names) {
        if (!from.has(attribute)) return;
        ++named;
        if (names.count(from.attributes.at(attribute)) > 0) ++left_out;
      };
  for (const char* attribute : {"joint1", "joint2"})
    count(element, attribute, bodies.joints_left_out);
  for (const char* attribute : {"body1", "body2"})
    count(element, attribute, bodies.bodies_left_out);
  for (const MjcfElement& part : element.children) count(part, "joint", bodies.joints_left_out);
  return named > 0 && left_out == named;
}

void coupleJoints(const MjcfElement& element, MjcfBodies& bodies) {
  TreeJoint& follower = requireJoint(bodies, element, "joint1");
  std::vector<double> c = element.numbers("polycoef", 1, 5).value_or(std::vector<double>{0.0, 1.0});
  c.resize(5, 0.0);
  const double reference = bodies.references.at(follower.name);
  if (!element.has("joint2")) {
    follower.mimic = TreeJoint::Mimic{follower.name, element.line, 0.0, reference + c[0]};
    return;
  }
  TreeJoint& leader = requireJoint(bodies, element, "joint2");
  if (c[2] != 0.0 || c[3] != 0.0 || c[4] != 0.0)
    element.fail(
        fmt::format("<joint> polycoef couples \"{}\" and \"{}\" by a curve, which is not "
                    "supported; only the first two numbers may differ from zero",
                    follower.name,
                    leader.name));
  const double offset = reference + c[0] - c[1] * bodies.references.at(leader.name);
  if (!follower.mimic) {
    follower.mimic = TreeJoint::Mimic{leader.name, element.line, c[1], offset};
  } else if (!leader.mimic && c[1] != 0.0) {
    leader.mimic = TreeJoint::Mimic{follower.name, element.line, 1.0 / c[1], -offset / c[1]};
  } else {
    element.fail(
        fmt::format("<joint> couples \"{}\" and \"{}\", which are coupled to others "
                    "already; keep one coupling per joint",
                    follower.name,
                    leader.name));
  }
}

/// Names of the mocap bodies, which the user of a simulation moves.
std::set<std::string> mocapBodies(const MjcfElement& root) {
  std::set<std::string> names;
  std::vector<const MjcfElement*> todo = {&root};
  while (!todo.empty()) {
    const MjcfElement& element = *todo.back();
    todo.pop_back();
    if (element.name == "body" && element.flag("mocap").value_or(false))
      names.insert(element.text("name").value_or(""));
    for (const MjcfElement& child : element.children) todo.push_back(&child);
  }
  return names;
}

/// Whether a constraint leads the robot by a mocap body: it is no part of the mechanism.
bool leadsByMocap(const MjcfElement& element, const std::set<std::string>& mocap) {
  return mocap.count(element.text("body1").value_or("world")) > 0 ||
         mocap.count(element.text("body2").value_or("world")) > 0;
}

RobotDescription::LoopEntry closeLoop(const MjcfElement& element, const MjcfBodies& bodies) {
  if (element.has("site1") || element.has("site2"))
    element.fail(fmt::format("<{}> between sites is not supported; name body1, body2 and anchor",
                             element.name));
  RobotDescription::LoopEntry loop;
  loop.file = *element.file;
  loop.line = element.line;
  element.requiredName("body1");
  loop.link_a = requireBody(bodies, element, "body1");
  loop.link_b = requireBody(bodies, element, "body2");
  const Transform X_AB =
      bodies.bodies.at(loop.link_a).X_WB.inverse() * bodies.bodies.at(loop.link_b).X_WB;
  if (element.name == "connect") {
    loop.type = Loop::Type::kSpherical;
    if (!element.has("anchor"))
      element.fail("<connect> has no anchor; write anchor=\"x y z\", in the frame of body1");
    loop.X_A.p = element.vector("anchor", Eigen::Vector3d::Zero());
    loop.X_B.p = X_AB.inverse() * loop.X_A.p;
    return loop;
  }
  loop.type = Loop::Type::kFixed;
  loop.X_A = X_AB;
  const auto pose = element.numbers("relpose", 7, 7);
  const Eigen::Vector4d quaternion =
      pose ? Eigen::Vector4d(pose->data() + 3) : Eigen::Vector4d::Zero().eval();
  if (quaternion.stableNorm() > 0.0 && std::isfinite(quaternion.stableNorm()))
    loop.X_A = {rotationFromWxyz(quaternion), Eigen::Vector3d(pose->data())};
  return loop;
}

double largestOf(const std::vector<double>& range) {
  return std::max(std::abs(range[0]), std::abs(range[1]));
}

/// The force of an actuator at the end of its `ctrlrange`, if it is proportional to the control.
std::optional<double> forceOfControl(const MjcfElement& actuator) {
  const auto control = actuator.numbers("ctrlrange", 2, 2);
  if (!control || !actuator.flag("ctrllimited").value_or(true)) return std::nullopt;
  if (actuator.name == "motor") return largestOf(*control);
  if (actuator.name != "general" || actuator.text("biastype").value_or("none") != "none" ||
      actuator.text("gaintype").value_or("fixed") != "fixed" ||
      actuator.text("dyntype").value_or("none") != "none")
    return std::nullopt;
  const auto gain = actuator.numbers("gainprm", 1, 100);
  return std::abs(gain ? gain->front() : 1.0) * largestOf(*control);
}

/// The largest force [N or N m at the transmission] that an actuator can exert, if it is known.
/// MuJoCo clamps the control first, then the force.
std::optional<double> largestForce(const MjcfElement& actuator) {
  const auto range = actuator.numbers("forcerange", 2, 2);
  const std::optional<double> of_control = forceOfControl(actuator);
  if (!range || !actuator.flag("forcelimited").value_or(true) || !(largestOf(*range) > 0.0))
    return of_control;
  return of_control && *of_control > 0.0 ? std::min(largestOf(*range), *of_control)
                                         : largestOf(*range);
}

/// Joints of each fixed tendon.
using Tendons = std::map<std::string, std::vector<std::string>>;

Tendons readTendons(const MjcfElement& root, const MjcfDefaults& defaults, MjcfBodies& bodies) {
  Tendons tendons;
  for (const MjcfElement& section : root.children) {
    if (section.name != "tendon") continue;
    for (const MjcfElement& child : section.children) {
      if (child.name != "fixed" && child.name != "spatial")
        child.fail("<" + child.name + "> is not an element of <tendon> (fixed, spatial)");
      const MjcfElement tendon = defaults.complete(child, "tendon", "");
      if (actsOnObjects(child, bodies)) continue;
      const std::string name = tendon.text("name").value_or("");
      for (const char* force : {"stiffness", "damping", "frictionloss", "armature"})
        for (const double value : tendon.numbers(force, 1, 10).value_or(std::vector<double>()))
          if (value != 0.0)
            child.fail(
                fmt::format("tendon \"{}\" has {}, a force between joints that is not "
                            "supported; remove it, or the tendon",
                            name,
                            force));
      for (const MjcfElement& part : child.children)
        if (child.name == "fixed" && part.name == "joint")
          tendons[name].push_back(requireJoint(bodies, part, "joint").name);
    }
  }
  return tendons;
}

}  // namespace

std::vector<RobotDescription::LoopEntry> readMjcfEqualities(const MjcfElement& root,
                                                            const MjcfDefaults& defaults,
                                                            MjcfBodies& bodies,
                                                            Remarks& remarks) {
  std::vector<RobotDescription::LoopEntry> loops;
  const std::set<std::string> mocap = mocapBodies(root);
  for (const MjcfElement& section : root.children) {
    if (section.name != "equality") continue;
    for (const MjcfElement& child : section.children) {
      const MjcfElement element = defaults.complete(child, "equality", "");
      element.requireKnown({"name",
                            "class",
                            "active",
                            "solref",
                            "solimp",
                            "joint1",
                            "joint2",
                            "polycoef",
                            "body1",
                            "body2",
                            "site1",
                            "site2",
                            "anchor",
                            "relpose",
                            "torquescale",
                            "tendon1",
                            "tendon2",
                            "flex"});
      if (!element.flag("active").value_or(true) || actsOnObjects(element, bodies)) continue;
      if (child.name == "joint")
        coupleJoints(element, bodies);
      else if (leadsByMocap(element, mocap))
        remarks.add("left out, since they lead the robot by a mocap body: constraints",
                    element.text("name").value_or("<" + child.name + ">"));
      else if (child.name == "connect" || child.name == "weld")
        loops.push_back(closeLoop(element, bodies));
      else
        child.fail(
            fmt::format("<{}> in <equality> is not supported (supported: joint, connect, "
                        "weld); set active=\"false\" if it does not matter",
                        child.name));
    }
  }
  return loops;
}

std::vector<std::string> readMjcfActuators(const MjcfElement& root,
                                           const MjcfDefaults& defaults,
                                           MjcfBodies& bodies,
                                           Remarks& remarks) {
  const Tendons tendons = readTendons(root, defaults, bodies);
  std::map<std::string, std::vector<std::optional<double>>> forces;  // by joint
  for (const MjcfElement& section : root.children) {
    if (section.name != "actuator") continue;
    for (const MjcfElement& child : section.children) {
      if (defaultKind(child.name) != "actuator")
        child.fail("<" + child.name + "> is not an element of <actuator>");
      const MjcfElement actuator = defaults.complete(child, "actuator", "");
      const std::string name = actuator.text("name").value_or("(without a name)");
      const std::vector<double> gear =
          actuator.numbers("gear", 1, 6).value_or(std::vector<double>{1.0});
      if (actuator.has("tendon")) {
        const std::string tendon = actuator.requiredName("tendon");
        const auto found = tendons.find(tendon);
        for (const std::string& joint :
             found == tendons.end() ? std::vector<std::string>() : found->second)
          forces[joint].push_back(std::nullopt);
        remarks.add("not used, since they act on a tendon instead of a joint: actuators", name);
        continue;
      }
      const char* transmission = actuator.has("jointinparent") ? "jointinparent" : "joint";
      if (!actuator.has(transmission)) {
        remarks.add(
            "not used, since they act on a site, body or crank instead of a joint: actuators",
            name);
        continue;
      }
      const std::string& joint_name = actuator.attributes.at(transmission);
      const TreeJoint* joint = findJoint(bodies, joint_name);
      if (joint != nullptr && !joint->moves()) continue;  // of the floating base
      if (bodies.joints_left_out.count(joint_name) > 0) continue;
      const std::string& joint_found = requireJoint(bodies, actuator, transmission).name;
      std::optional<double> force = largestForce(actuator);
      if (force) *force *= std::abs(gear.front());
      forces[joint_found].push_back(force);
    }
  }
  std::vector<std::string> actuated;
  for (const auto& [joint, values] : forces) {
    actuated.push_back(joint);
    if (values.size() == 1 && values.front() && *values.front() > 0.0)
      findJoint(bodies, joint)->limits.effort = *values.front();
  }
  for (const auto& [joint, range] : bodies.effort_ranges)
    if (range > 0.0)
      findJoint(bodies, joint)->limits.effort =
          std::min(findJoint(bodies, joint)->limits.effort, range);
  return actuated;
}

}  // namespace dynid
