#include "dynid/robot/kinematic_tree.h"

#include "dynid/core/text.h"
#include "dynid/robot/source_place.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

/// Motion of one URDF joint: q = multiplier * q[master] + offset, or held at `offset` if it has no
/// master.
struct Motion {
  int master = -1;  ///< index of an independent joint in the document
  double multiplier = 1.0;
  double offset = 0.0;
};

class MimicResolver {
 public:
  MimicResolver(const TreeDocument& document, const FrozenJoints& frozen)
      : document_(document), frozen_(frozen) {
    for (size_t j = 0; j < document.joints.size(); ++j)
      index_.emplace(document.joints[j].name, static_cast<int>(j));
  }

  /// Resolves a chain of mimic joints: q = m1 (m2 q0 + o2) + o1.
  Motion resolve(int joint) const {
    Motion motion{joint, 1.0, 0.0};
    for (size_t steps = 0;; ++steps) {
      const TreeJoint& current = document_.joints[motion.master];
      const auto held = frozen_.find(current.name);
      if (held != frozen_.end() || !current.moves()) {
        motion.offset += motion.multiplier * (held != frozen_.end() ? held->second : 0.0);
        motion.master = -1;
        return motion;
      }
      if (!current.mimic) return motion;
      if (steps > document_.joints.size())
        failAt(document_.file,
               current.mimic->line,
               "joint \"" + current.name +
                   "\" mimics itself in a cycle; let one of the joints move independently");
      motion.offset += motion.multiplier * current.mimic->offset;
      motion.multiplier *= current.mimic->multiplier;
      motion.master = masterOf(current);
      if (motion.multiplier == 0.0) {
        motion.master = -1;
        return motion;
      }
    }
  }

 private:
  int masterOf(const TreeJoint& joint) const {
    const auto found = index_.find(joint.mimic->joint);
    if (found == index_.end())
      failAt(document_.file,
             joint.mimic->line,
             "joint \"" + joint.name + "\" mimics \"" + joint.mimic->joint +
                 "\", which the file does not have" +
                 didYouMean(joint.mimic->joint, document_.jointNames()));
    return found->second;
  }

  const TreeDocument& document_;
  const FrozenJoints& frozen_;
  std::map<std::string, int> index_;
};

Transform motionOf(const TreeJoint& joint, double q) {
  if (joint.type == TreeJointType::kPrismatic) return {Eigen::Matrix3d::Identity(), q * joint.axis};
  return {rotationAbout(joint.axis, q), Eigen::Vector3d::Zero()};
}

/// Place of a link: the body that contains it (-1: the root link) and its pose in the body.
struct Seat {
  int body = -1;
  Transform X_BL;
};

/// Inertia of all links of one body.
struct MassSum {
  InertialParameters total = InertialParameters::Zero();
  bool described = false;   ///< a link has an inertia
  bool incomplete = false;  ///< a link with mass has none
  std::optional<InertialParameters> known() const {
    return described && !incomplete ? std::optional(total) : std::nullopt;
  }
};

class TreeBuilder {
 public:
  TreeBuilder(const TreeDocument& document, const FrozenJoints& frozen, Robot& robot)
      : document_(document),
        motions_(document, frozen),
        robot_(robot),
        children_(document.links.size()) {
    std::map<std::string, size_t> links;
    for (size_t i = 0; i < document.links.size(); ++i) {
      links.emplace(document.links[i].name, i);
      has_shapes_ |= document.links[i].has_shape;
    }
    for (const TreeJoint& joint : document.joints) {
      child_link_.push_back(links.at(joint.child));
      children_[links.at(joint.parent)].push_back(child_link_.size() - 1);
    }
  }

  /// Chooses the robot's root: the child of a `floating` joint, unless the description declares the
  /// base as fixed.
  size_t chooseRoot(std::optional<bool> base_floats) {
    const auto root = static_cast<size_t>(document_.root);
    size_t chosen = root;
    for (size_t j = 0; j < document_.joints.size(); ++j) {
      const TreeJoint& joint = document_.joints[j];
      if (joint.type != TreeJointType::kFloating) continue;
      if (joint.parent != document_.links[root].name)
        failAt(document_.file,
               joint.line,
               "floating joint \"" + joint.name + "\" is not attached to the root link \"" +
                   document_.links[root].name + "\"; only the base may float");
      if (base_floats.has_value() && !*base_floats) continue;  // treated as a fixed joint
      if (children_[root].size() > 1)
        failAt(document_.file,
               joint.line,
               "the root link \"" + joint.parent +
                   "\" has other children besides the "
                   "floating joint \"" +
                   joint.name + "\"; describe one robot per file");
      chosen = child_link_[j];
      robot_.floating_base = true;
    }
    if (base_floats.has_value()) robot_.floating_base = *base_floats;
    return chosen;
  }

  /// Depth first, without recursion, because a chain in a file may have any length.
  void walk(size_t root) {
    std::vector<Seat> seats(document_.links.size());
    std::vector<size_t> todo = {root};
    robot_.root_link = document_.links[root].name;
    addLink(root, Seat{}, false);
    while (!todo.empty()) {
      const size_t link = todo.back();
      todo.pop_back();
      if (arrival_.count(link) > 0) enter(link, arrival_.at(link), seats);
      for (auto child = children_[link].rbegin(); child != children_[link].rend(); ++child) {
        arrival_[child_link_[*child]] = {*child, seats[link]};
        todo.push_back(child_link_[*child]);
      }
    }
    resolveMasters();
  }

 private:
  struct Arrival {
    size_t joint;
    Seat parent;
  };

  void enter(size_t link, const Arrival& arrival, std::vector<Seat>& seats) {
    const TreeJoint& joint = document_.joints[arrival.joint];
    const Motion motion = motions_.resolve(static_cast<int>(arrival.joint));
    Seat& seat = seats[link];
    if (joint.type == TreeJointType::kUnsupported) requireHeld(joint, motion);
    if (motion.master < 0) {
      const Transform X_PL =
          (joint.moves() ? joint.X_PF * motionOf(joint, motion.offset) : joint.X_PF) * joint.X_JC;
      seat = {arrival.parent.body, arrival.parent.X_BL * X_PL};
    } else {
      Body body;
      body.name = document_.links[link].name;
      body.joint_name = joint.name;
      body.parent = arrival.parent.body;
      body.X_PJ = arrival.parent.X_BL * joint.X_PF;
      body.prismatic = joint.type == TreeJointType::kPrismatic;
      body.axis = joint.axis;
      body.multiplier = motion.multiplier;
      body.offset = motion.offset;
      seat = {robot_.numBodies(), joint.X_JC};
      masters_.push_back(motion.master);
      if (motion.master == static_cast<int>(arrival.joint))
        addJoint(joint, motion.master, seat.body);
      robot_.bodies.push_back(std::move(body));
    }
    addLink(link, seat, motion.master < 0 && joint.moves());
  }

  void requireHeld(const TreeJoint& joint, const Motion& motion) const {
    if (motion.master < 0 && motion.offset == 0.0) return;
    failAt(document_.file,
           joint.line,
           "joint \"" + joint.name + "\" is " + joint.unsupported +
               ", which is not supported; write it as revolute and prismatic joints with massless "
               "links between them, or hold it at 0 in a description: ignore = [\"" +
               joint.name + "\"]");
  }

  void addJoint(const TreeJoint& joint, int index, int body) {
    joint_index_[index] = robot_.numJoints();
    Joint moving;
    moving.name = joint.name;
    moving.prismatic = joint.type == TreeJointType::kPrismatic;
    moving.continuous = joint.type == TreeJointType::kContinuous;
    moving.body = body;
    moving.limits = joint.limits;
    moving.damping = joint.damping;
    moving.friction = joint.friction;
    moving.drive_inertia = joint.drive_inertia;
    moving.stiffness = joint.stiffness;
    moving.spring_reference = joint.spring_reference;
    robot_.joints.push_back(std::move(moving));
  }

  /// Adds the link to its body (or to the root link).
  /// @param held  it is behind a joint that could move
  void addLink(size_t index, const Seat& seat, bool held) {
    const TreeLink& link = document_.links[index];
    const bool at_root = seat.body < 0;
    std::vector<Body::FixedLink>& links =
        at_root ? robot_.root_links : robot_.bodies[seat.body].links;
    if (!at_root) {
      bool& massless = robot_.bodies[seat.body].massless;
      massless = link.massless && (links.empty() || massless);
    }
    const bool leads = links.empty();
    links.push_back({link.name, seat.X_BL, link.inertial, link.rejected, link.massless, held});
    MassSum& sum = sums_[seat.body];
    if (link.inertial) {
      sum.described = true;
      sum.total += transformed(seat.X_BL, *link.inertial);
    } else {
      sum.incomplete |= hidesMass(link.fault) || ((leads || held) && !isFrame(link));
    }
    (at_root ? robot_.root_prior : robot_.bodies[seat.body].prior) = sum.known();
  }

  /// A link without geometry, in a file that gives geometry to others, has no mass.
  bool isFrame(const TreeLink& link) const { return has_shapes_ && !link.has_shape; }

  void resolveMasters() {
    for (size_t k = 0; k < robot_.bodies.size(); ++k)
      robot_.bodies[k].joint = joint_index_.at(masters_[k]);
    Remarks contradictions;
    for (const Body& body : robot_.bodies) {
      Joint& master = robot_.joints[body.joint];
      if (body.joint_name == master.name) continue;
      const TreeJoint& mimic = document_.joints[document_.findJoint(body.joint_name)];
      if (!mapLimits(mimic.limits, body, master.limits))
        contradictions.add(
            "position limits that leave the joint to be followed no range are ignored: joints with "
            "<mimic>",
            mimic.name);
      addEffects(mimic, body.multiplier, master);
    }
    robot_.warnings = contradictions.lines();
  }

  /// The master moves the mimic joint against its damping, friction and drive inertia.
  static void addEffects(const TreeJoint& mimic, double multiplier, Joint& master) {
    master.damping += multiplier * multiplier * mimic.damping;
    master.friction += std::abs(multiplier) * mimic.friction;
    master.drive_inertia += multiplier * multiplier * mimic.drive_inertia;
  }

  /// Restricts the master to the limits of a joint that follows it. @returns false if these leave
  /// it no range, as they are often wrong in files; they are then ignored
  static bool mapLimits(const JointLimits& mimic, const Body& body, JointLimits& master) {
    double lower = (mimic.lower - body.offset) / body.multiplier;
    double upper = (mimic.upper - body.offset) / body.multiplier;
    if (lower > upper) std::swap(lower, upper);
    master.velocity = std::min(master.velocity, mimic.velocity / std::abs(body.multiplier));
    if (!(std::max(lower, master.lower) < std::min(upper, master.upper))) return false;
    master.lower = std::max(lower, master.lower);
    master.upper = std::min(upper, master.upper);
    return true;
  }

  const TreeDocument& document_;
  MimicResolver motions_;
  Robot& robot_;
  std::vector<std::vector<size_t>> children_;  ///< joints below each link
  std::vector<size_t> child_link_;             ///< of each joint
  std::map<size_t, Arrival> arrival_;          ///< by link
  std::vector<int> masters_;                   ///< of each body, document's joint index
  std::map<int, int> joint_index_;             ///< document's index -> robot's
  std::map<int, MassSum> sums_;                ///< of each body; -1: of the root link
  bool has_shapes_ = false;                    ///< some link of the document has geometry
};

}  // namespace

void buildTree(const TreeDocument& document,
               const FrozenJoints& frozen,
               std::optional<bool> base_floats,
               Robot& robot) {
  robot.name = document.name;
  TreeBuilder builder(document, frozen, robot);
  builder.walk(builder.chooseRoot(base_floats));
  if (robot.joints.empty() && !robot.floating_base)
    throw InputError(
        document.file + ": no joint moves" +
        std::string(frozen.empty() ? "" : " once the ignored and excluded ones are held") +
        "; a robot needs a revolute, continuous or prismatic joint that is not a mimic");
  // Matrices have ten columns per link and a row per joint: thousands of joints fill the memory.
  constexpr size_t kMostJoints = 1000;
  if (robot.joints.size() > kMostJoints)
    throw InputError(fmt::format(
        "{}: {} joints move; at most {} are read. Hold those that do not move ([ignore] in the "
        "description of the robot)",
        document.file,
        robot.joints.size(),
        kMostJoints));
}

}  // namespace dynid
