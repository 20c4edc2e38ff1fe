#include "dynid/robot/mjcf_bodies.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/robot/mjcf_inertia.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <set>

namespace dynid {
namespace {

const std::vector<std::string> kJointAttributes = {"name",
                                                   "class",
                                                   "type",
                                                   "group",
                                                   "pos",
                                                   "axis",
                                                   "springdamper",
                                                   "limited",
                                                   "solreflimit",
                                                   "solimplimit",
                                                   "solreffriction",
                                                   "solimpfriction",
                                                   "stiffness",
                                                   "range",
                                                   "margin",
                                                   "ref",
                                                   "springref",
                                                   "armature",
                                                   "damping",
                                                   "frictionloss",
                                                   "user",
                                                   "actuatorfrclimited",
                                                   "actuatorfrcrange",
                                                   "actuatorgravcomp"};
const std::vector<std::string> kBodyAttributes = {"name",
                                                  "childclass",
                                                  "pos",
                                                  "quat",
                                                  "mocap",
                                                  "axisangle",
                                                  "xyaxes",
                                                  "zaxis",
                                                  "euler",
                                                  "gravcomp",
                                                  "sleep",
                                                  "user"};

/// The direct content of a body, with its `<frame>` elements resolved.
struct Parts {
  std::vector<MjcfElement> joints;  ///< with their defaults
  std::vector<MjcfGeom> geoms;
  const MjcfElement* inertial = nullptr;
  const MjcfElement* free_joint = nullptr;
  struct Child {
    const MjcfElement* body;
    Transform X_PF;  ///< pose of the enclosing frames in the body
    std::string childclass;
  };
  std::vector<Child> bodies;
};

class BodyReader {
 public:
  BodyReader(const MjcfCompiler& compiler, const MjcfDefaults& defaults, Remarks& remarks)
      : compiler_(compiler), defaults_(defaults), remarks_(remarks) {}

  MjcfBodies read(const MjcfElement& root) {
    TreeLink world;
    world.name = "world";
    result_.links.push_back(world);
    result_.bodies["world"] = {root.line, Transform{}};
    collectNames(root);
    Parts top;
    for (const MjcfElement& section : root.children)
      if (section.name == "worldbody") collect(section, {}, "", top);
    if (!top.joints.empty()) top.joints.front().fail("<worldbody> cannot have joints");
    if (top.free_joint != nullptr) top.free_joint->fail("<worldbody> cannot have joints");
    if (top.inertial != nullptr) top.inertial->fail("<worldbody> cannot have an <inertial>");
    for (const Parts::Child& child : robotsOf(top)) readBody(child, "world");
    return std::move(result_);
  }

 private:
  void collectNames(const MjcfElement& element) {
    for (const MjcfElement& child : element.children) {
      if (child.name == "body" || child.name == "joint" || child.name == "freejoint")
        if (const auto name = child.text("name")) names_.insert(*name);
      collectNames(child);
    }
  }

  std::string newName(const std::string& wish) {
    std::string name = wish;
    while (!names_.insert(name).second) name += "_";
    return name;
  }

  /// Collects the content of a body or frame. @param X_PF  pose of the frame in the body
  void collect(const MjcfElement& element,
               const Transform& X_PF,
               const std::string& childclass,
               Parts& parts) {
    for (const MjcfElement& child : element.children) {
      const std::string& tag = child.name;
      if (tag == "body") {
        parts.bodies.push_back({&child, X_PF, childclass});
      } else if (tag == "frame") {
        requireOneOrientation(child);
        const std::string frame_class = child.text("childclass").value_or(childclass);
        if (child.has("childclass")) defaults_.requireClass(child, frame_class);
        collect(child, X_PF * readMjcfPose(child, compiler_), frame_class, parts);
      } else if (tag == "geom") {
        requireOneOrientation(child);
        parts.geoms.push_back({defaults_.complete(child, tag, childclass), X_PF});
      } else if (tag == "joint") {
        collectJoint(child, childclass, parts);
      } else if (tag == "freejoint") {
        parts.free_joint = &child;
      } else if (tag == "inertial") {
        if (parts.inertial != nullptr) child.fail("a second <inertial> in this body; keep one");
        parts.inertial = &child;
      } else {
        requireHarmless(child);
      }
    }
  }

  void collectJoint(const MjcfElement& child, const std::string& childclass, Parts& parts) {
    MjcfElement joint = defaults_.complete(child, "joint", childclass);
    joint.requireKnown(kJointAttributes);
    const std::string type = joint.text("type").value_or("hinge");
    const std::string name = joint.text("name").value_or("");
    if (type == "ball")
      child.fail(
          fmt::format("joint \"{}\" is a ball joint, which is not supported; write it as "
                      "three hinge joints in this body",
                      name));
    if (type == "free")
      parts.free_joint = &child;
    else if (type == "hinge" || type == "slide")
      parts.joints.push_back(std::move(joint));
    else
      child.fail(
          fmt::format("joint \"{}\" has the unknown type \"{}\"{} (types: hinge, slide, "
                      "free)",
                      name,
                      type,
                      didYouMean(type, std::vector<std::string>{"hinge", "slide", "free"})));
  }

  static void requireHarmless(const MjcfElement& child) {
    constexpr std::array<const char*, 3> kHarmless = {"site", "camera", "light"};
    constexpr std::array<const char*, 7> kRefused = {
        "composite", "flexcomp", "replicate", "attach", "plugin", "flex", "skin"};
    const auto is = [&](const char* tag) { return child.name == tag; };
    if (std::any_of(kHarmless.begin(), kHarmless.end(), is)) return;
    if (std::any_of(kRefused.begin(), kRefused.end(), is))
      child.fail(fmt::format("<{}> is not supported; write its bodies and joints out, or remove it",
                             child.name));
    const std::vector<std::string> known = {
        "body", "inertial", "joint", "freejoint", "geom", "frame", "site", "camera", "light"};
    child.fail(fmt::format(
        "<{}> is not an element of a body{}", child.name, didYouMean(child.name, known)));
  }

  /// Number of hinge, slide and ball joints of a body and of those behind it.
  static int countJoints(const MjcfElement& body) {
    int count = 0;
    for (const MjcfElement& inner : body.children) {
      if (inner.name == "joint" && inner.text("type").value_or("hinge") != "free") ++count;
      if (inner.name == "body" || inner.name == "frame") count += countJoints(inner);
    }
    return count;
  }

  static bool floats(const MjcfElement& body) {
    return std::any_of(body.children.begin(), body.children.end(), [](const MjcfElement& e) {
      return e.name == "freejoint" || (e.name == "joint" && e.text("type").value_or("") == "free");
    });
  }

  /// A robot that is fixed to the world, or one that floats.
  struct Candidate {
    const MjcfElement* body = nullptr;  ///< its first body
    int joints = 0;
    bool floats = false;
  };

  /// The candidate that has more than twice the joints of all others together: the others are
  /// objects of the scene or placeholders. Nothing where no body of the world has joints.
  static std::optional<Candidate> robotAmong(const std::vector<Parts::Child>& bodies) {
    Candidate fixed;  // its arms are one robot
    std::vector<Candidate> candidates;
    for (const Parts::Child& child : bodies) {
      const int joints = countJoints(*child.body);
      if (joints == 0) continue;
      if (floats(*child.body)) {
        candidates.push_back({child.body, joints, true});
        continue;
      }
      if (fixed.body == nullptr) fixed.body = child.body;
      fixed.joints += joints;
    }
    if (fixed.body != nullptr) candidates.push_back(fixed);
    if (candidates.empty()) return std::nullopt;
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return a.joints > b.joints;
    });
    int others = 0;
    for (size_t i = 1; i < candidates.size(); ++i) others += candidates[i].joints;
    if (candidates.front().joints > 2 * others) return candidates.front();
    const auto said = [](const Candidate& candidate) {
      return fmt::format("\"{}\" (line {}, joints: {}, {})",
                         candidate.body->text("name").value_or(""),
                         candidate.body->line,
                         candidate.joints,
                         candidate.floats ? "floats" : "fixed");
    };
    candidates[1].body->fail(fmt::format(
        "two robots, of which one floats: bodies {} and {}; remove one of them from the file",
        said(candidates[0]),
        said(candidates[1])));
  }

  /// The bodies of the world that belong to the robot.
  std::vector<Parts::Child> robotsOf(const Parts& top) {
    std::optional<Candidate> robot = robotAmong(top.bodies);
    if (!robot) {
      std::vector<const MjcfElement*> objects;
      for (const Parts::Child& child : top.bodies)
        if (floats(*child.body)) objects.push_back(child.body);
      if (objects.size() == 1) robot = Candidate{objects.front(), 0, true};
    }
    const bool floating = robot && robot->floats;
    std::vector<Parts::Child> kept;
    for (const Parts::Child& child : top.bodies) {
      if (floating ? child.body == robot->body : !floats(*child.body)) {
        kept.push_back(child);
        continue;
      }
      remarks_.add("not part of the robot, left out: bodies",
                   child.body->text("name").value_or("(without a name)"));
      noteLeftOut(*child.body);
      if (compiler_.total_mass > 0.0) result_.mass_left_out += massOf(child);
    }
    return kept;
  }

  /// Notes the names by which other sections of the file may refer to what is left out.
  void noteLeftOut(const MjcfElement& element) {
    if (const auto name = element.text("name")) {
      if (element.name == "body") result_.bodies_left_out.insert(*name);
      if (element.name == "joint") result_.joints_left_out.insert(*name);
    }
    for (const MjcfElement& child : element.children) noteLeftOut(child);
  }

  /// Mass of a body that is left out and of those behind it [kg]; NaN if it is not known.
  double massOf(const Parts::Child& child) {
    try {
      Parts parts;
      collect(*child.body, {}, child.body->text("childclass").value_or(child.childclass), parts);
      TreeLink link;
      inertiaOf(parts, link);
      if (link.fault != InertialFault::kNone) return std::nan("");
      double mass = link.inertial ? (*link.inertial)(0) : 0.0;
      for (const Parts::Child& inner : parts.bodies) mass += massOf(inner);
      return mass;
    } catch (const InputError&) {  // objects may have what robots may not
      return std::nan("");
    }
  }

  void readBody(const Parts::Child& child, const std::string& parent) {
    const MjcfElement& element = *child.body;
    element.requireKnown(kBodyAttributes);
    requireOneOrientation(element);
    std::string name = element.has("name") ? element.requiredName("name") : "";
    ++count_;
    if (name.empty()) name = newName(fmt::format("body_{}", count_));
    result_.names[element.ordinal] = name;
    if (name == "world") element.fail("a body cannot be named \"world\"");
    const Transform X_PB = child.X_PF * readMjcfPose(element, compiler_);
    const auto [place, added] = result_.bodies.emplace(
        name, MjcfBodies::Place{element.line, result_.bodies.at(parent).X_WB * X_PB});
    if (!added)
      element.fail(
          fmt::format("a second body named \"{}\" (the first is in line {}); names must "
                      "be unique",
                      name,
                      place->second.line));
    const std::string childclass = element.text("childclass").value_or(child.childclass);
    if (element.has("childclass")) defaults_.requireClass(element, childclass);
    Parts parts;
    collect(element, {}, childclass, parts);
    if (element.number("gravcomp", 0.0) != 0.0)
      remarks_.add("gravity compensation of the simulation is not part of the robot: bodies", name);
    addJoints(element, parts, parent, name, X_PB);
    TreeLink link;
    link.name = name;
    link.line = element.line;
    inertiaOf(parts, link);
    result_.links.push_back(std::move(link));
    for (const Parts::Child& inner : parts.bodies) readBody(inner, name);
  }

  void inertiaOf(const Parts& parts, TreeLink& link) const {
    link.has_shape = !parts.geoms.empty();
    using Kind = MjcfCompiler::InertiaFromGeom;
    const Kind kind = compiler_.inertia_from_geom;
    const bool written = parts.inertial != nullptr && kind != Kind::kAlways;
    if (written) {
      readMjcfInertial(*parts.inertial, compiler_, link);
      return;
    }
    if (kind == Kind::kNever) return;
    inertiaFromGeoms(parts.geoms, compiler_, link);
  }

  /// Adds the joints of a body in series, with massless links between them.
  void addJoints(const MjcfElement& element,
                 const Parts& parts,
                 const std::string& parent,
                 const std::string& body,
                 const Transform& X_PB) {
    if (parts.free_joint != nullptr) {
      addFreeJoint(element, parts, parent, body, X_PB);
      return;
    }
    if (parts.joints.empty()) {
      TreeJoint fixed;
      fixed.name = newName(body + "_fixed");
      fixed.line = element.line;
      fixed.parent = parent;
      fixed.child = body;
      fixed.X_PF = X_PB;
      result_.joints.push_back(std::move(fixed));
      return;
    }
    std::string above = parent;
    Transform X_AB = X_PB;  // the body's frame in the link above, at q = ref
    for (size_t i = 0; i < parts.joints.size(); ++i) {
      TreeJoint joint = readJoint(parts.joints[i], body, i, parts.joints.size());
      const Eigen::Vector3d anchor = anchorOf(parts.joints[i], joint);
      const bool last = i + 1 == parts.joints.size();
      joint.parent = above;
      joint.child = last ? body : newName(body + ":" + joint.name);
      const double reference = result_.references.at(joint.name);
      const Transform back =
          joint.type == TreeJointType::kPrismatic
              ? Transform{Eigen::Matrix3d::Identity(), -reference * joint.axis}
              : Transform{rotationAbout(joint.axis, -reference), Eigen::Vector3d::Zero()};
      joint.X_PF = X_AB * Transform{Eigen::Matrix3d::Identity(), anchor};
      if (reference != 0.0) joint.X_PF = joint.X_PF * back;
      X_AB = {Eigen::Matrix3d::Identity(), -anchor};
      if (last) {
        joint.X_JC = X_AB;
      } else {
        TreeLink between;
        between.name = joint.child;
        between.line = joint.line;
        between.inertial = InertialParameters::Zero();
        between.massless = true;
        result_.links.push_back(std::move(between));
      }
      above = joint.child;
      result_.joints.push_back(std::move(joint));
    }
  }

  void addFreeJoint(const MjcfElement& element,
                    const Parts& parts,
                    const std::string& parent,
                    const std::string& body,
                    const Transform& X_PB) {
    if (parent != "world")
      parts.free_joint->fail(
          "a free joint belongs to a body of the world; only the base may float");
    if (!parts.joints.empty())
      parts.joints.front().fail("a body with a free joint has no other joints");
    TreeJoint free;
    free.name = parts.free_joint->has("name") ? parts.free_joint->requiredName("name")
                                              : newName(body + "_free");
    free.line = element.line;
    free.type = TreeJointType::kFloating;
    free.parent = parent;
    free.child = body;
    free.X_PF = X_PB;
    result_.joints.push_back(std::move(free));
  }

  /// A point on the axis. A point may be moved along the axis, and that of a slide joint anywhere.
  static Eigen::Vector3d anchorOf(const MjcfElement& element, const TreeJoint& joint) {
    const Eigen::Vector3d pos = element.vector("pos", Eigen::Vector3d::Zero());
    if (joint.type == TreeJointType::kPrismatic) return Eigen::Vector3d::Zero();
    const Eigen::Vector3d across = pos - pos.dot(joint.axis) * joint.axis;
    return across.norm() > 1e-15 * pos.norm() ? pos : Eigen::Vector3d::Zero().eval();
  }

  TreeJoint readJoint(const MjcfElement& element,
                      const std::string& body,
                      size_t index,
                      size_t count) {
    TreeJoint joint;
    joint.line = element.line;
    joint.name = element.has("name")
                     ? element.requiredName("name")
                     : newName(body + "_joint" + (count > 1 ? std::to_string(index + 1) : ""));
    result_.names[element.ordinal] = joint.name;
    if (result_.references.count(joint.name) > 0)
      element.fail("a second joint named \"" + joint.name + "\"; names must be unique");
    const bool slide = element.text("type").value_or("hinge") == "slide";
    joint.type = slide ? TreeJointType::kPrismatic : TreeJointType::kRevolute;
    joint.axis = element.vector("axis", Eigen::Vector3d::UnitZ());
    const double length = joint.axis.stableNorm();
    if (!(length > 0.0) || !std::isfinite(length))
      element.fail("joint \"" + joint.name +
                   "\" has a zero axis; give its direction, such as axis=\"0 0 1\"");
    joint.axis = (joint.axis / length).normalized();
    const auto angle = [&](double value) { return slide ? value : compiler_.angle(value); };
    result_.references[joint.name] = angle(element.number("ref", 0.0));
    joint.damping = effect(element, "damping", joint.name);
    joint.friction = effect(element, "frictionloss", joint.name);
    joint.drive_inertia = effect(element, "armature", joint.name);
    joint.stiffness = element.number("stiffness", 0.0);
    if (joint.stiffness < 0.0)
      remarks_.add("a negative stiffness pushes away from springref: joints", joint.name);
    joint.spring_reference = angle(element.number("springref", 0.0));
    if (const auto both = element.numbers("springdamper", 2, 2); both && (*both)[0] > 0.0)
      remarks_.add(
          "springdamper, from which MuJoCo computes stiffness and damping, is not read: joints",
          joint.name);
    readLimits(element, joint, angle);
    return joint;
  }

  /// A joint effect that cannot be negative.
  double effect(const MjcfElement& element, const char* attribute, const std::string& joint) {
    const double value = element.number(attribute, 0.0);
    if (value >= 0.0) return value;
    remarks_.add(fmt::format("a negative {} is not used: joints", attribute), joint);
    return 0.0;
  }

  template <typename Angle>
  void readLimits(const MjcfElement& element, TreeJoint& joint, const Angle& angle) {
    const auto range = element.numbers("range", 2, 2);
    const bool limited = element.flag("limited").value_or(compiler_.autolimits);
    if (range && limited) {
      joint.limits.lower = angle((*range)[0]);
      joint.limits.upper = angle((*range)[1]);
      if (!(joint.limits.lower < joint.limits.upper)) {
        remarks_.add("a range whose first number is not below the second is no limit: joints",
                     joint.name);
        joint.limits.lower = -kInfinity;
        joint.limits.upper = kInfinity;
      }
    }
    const auto effort = element.numbers("actuatorfrcrange", 2, 2);
    if (effort && element.flag("actuatorfrclimited").value_or(true))
      result_.effort_ranges[joint.name] = std::max(std::abs((*effort)[0]), std::abs((*effort)[1]));
  }

  const MjcfCompiler& compiler_;
  const MjcfDefaults& defaults_;
  Remarks& remarks_;
  MjcfBodies result_;
  std::set<std::string> names_;
  int count_ = 0;
};

}  // namespace

MjcfBodies readMjcfBodies(const MjcfElement& root,
                          const MjcfCompiler& compiler,
                          const MjcfDefaults& defaults,
                          Remarks& remarks) {
  return BodyReader(compiler, defaults, remarks).read(root);
}

}  // namespace dynid
