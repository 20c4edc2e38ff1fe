#include "dynid/robot/apply_loops.h"

#include "dynid/core/text.h"
#include "dynid/robot/assembly.h"
#include "dynid/robot/couplings.h"
#include "dynid/robot/driven_joints.h"
#include "dynid/robot/loop_closure.h"
#include "dynid/robot/source_place.h"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

std::string quoted(const std::vector<std::string>& names) {
  return names.empty() ? "none" : "\"" + join(names, "\", \"") + "\"";
}

std::vector<std::string> namesOf(const std::vector<Joint>& joints) {
  std::vector<std::string> names;
  for (const Joint& joint : joints) names.push_back(joint.name);
  return names;
}

// Checks that the entries of the description are consistent for passive joints.
void checkEntries(const RobotDescription& description,
                  const std::vector<std::string>& passive,
                  Robot& robot) {
  const std::vector<std::string> names = robot.jointNames();
  for (const RobotDescription::JointEntry& entry : description.joints) {
    const bool chosen = std::find(passive.begin(), passive.end(), entry.joint) != passive.end();
    if (!chosen && !entry.passive) continue;
    const auto found = std::find(names.begin(), names.end(), entry.joint);
    const std::string table = "[joint." + entry.joint + "]: ";
    if (found == names.end())
      failAt(description.file,
             entry.line,
             table + "the robot has no moving joint of this name that could be passive" +
                 didYouMean(entry.joint, names) + " (joints: " + join(names) + ")");
    if (entry.describes_drive)
      failAt(
          description.file,
          entry.line,
          table + (entry.passive ? "a passive joint has no drive; keep only passive, assembly "
                                   "and limits"
                                 : "the loops leave fewer free motions than joints have drives, "
                                   "so this one would be passive; keep only assembly and limits, "
                                   "or mark another joint of the loops passive = true"));
    if (description.loops.empty())
      failAt(description.file,
             entry.line,
             table +
                 "passive, but no [[loop]] determines it; describe the loop, hold the joint by "
                 "[ignore], or drive it");
    applyLimits(entry, robot.joints[found - names.begin()].limits);
  }
}

// Moves the passive joints from `joints` to `passive_joints` and renumbers the joints of bodies and
// loops.
void separatePassive(const std::vector<std::string>& names, Robot& robot) {
  std::vector<Joint> driven;
  std::vector<int> place(robot.joints.size());
  const auto is_passive = [&](const Joint& joint) {
    return std::find(names.begin(), names.end(), joint.name) != names.end();
  };
  for (size_t j = 0; j < place.size(); ++j) {
    std::vector<Joint>& side = is_passive(robot.joints[j]) ? robot.passive_joints : driven;
    place[j] = static_cast<int>(side.size());
    side.push_back(robot.joints[j]);
  }
  for (size_t j = 0; j < place.size(); ++j)
    if (is_passive(robot.joints[j])) place[j] += static_cast<int>(driven.size());
  for (Body& body : robot.bodies) body.joint = place[body.joint];
  for (Loop& loop : robot.loops) {
    for (int& joint : loop.joints) joint = place[joint];
    std::sort(loop.joints.begin(), loop.joints.end());
  }
  robot.joints = std::move(driven);
}

// The body that contains a link (-1: the root link), and the link's pose in it.
std::pair<int, Transform> seatOf(const RobotDescription& description,
                                 const RobotDescription::LoopEntry& entry,
                                 const std::string& link,
                                 const Robot& robot) {
  std::vector<std::string> names;
  for (const Body::FixedLink& fixed : robot.root_links) {
    if (fixed.name == link) return {-1, fixed.X_BL};
    names.push_back(fixed.name);
  }
  for (int k = 0; k < robot.numBodies(); ++k)
    for (const Body::FixedLink& fixed : robot.bodies[k].links) {
      if (fixed.name == link) return {k, fixed.X_BL};
      names.push_back(fixed.name);
    }
  failAt(description.fileOf(entry),
         entry.line,
         "[[loop]]: the robot has no link \"" + link + "\"" + didYouMean(link, names) +
             " (links: " + join(names) + ")");
}

// Tree coordinates of the bodies that are on exactly one of the two chains to the root.
std::vector<int> jointsBetween(const Robot& robot, int body_a, int body_b) {
  std::vector<int> sides(robot.bodies.size(), 0);
  for (const int end : {body_a, body_b})
    for (int k = end; k >= 0; k = robot.bodies[k].parent) ++sides[k];
  std::vector<int> joints;
  for (size_t k = 0; k < sides.size(); ++k)
    if (sides[k] == 1) joints.push_back(robot.bodies[k].joint);
  std::sort(joints.begin(), joints.end());
  joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
  return joints;
}

void addLoops(const RobotDescription& description, Robot& robot) {
  for (const RobotDescription::LoopEntry& entry : description.loops) {
    const auto [body_a, X_aL] = seatOf(description, entry, entry.link_a, robot);
    const auto [body_b, X_bL] = seatOf(description, entry, entry.link_b, robot);
    Loop loop;
    loop.name = entry.link_a + " - " + entry.link_b;
    loop.type = entry.type;
    loop.body_a = body_a;
    loop.body_b = body_b;
    loop.X_A = X_aL * entry.X_A;
    loop.X_B = X_bL * entry.X_B;
    loop.axis = entry.axis;
    loop.joints = jointsBetween(robot, body_a, body_b);
    if (loop.joints.empty())
      failAt(description.fileOf(entry),
             entry.line,
             "[[loop]] " + loop.name +
                 ": no joint moves these links relative to each other, so they close no chain");
    robot.loops.push_back(std::move(loop));
  }
}

void checkPassive(const RobotDescription& description, const Robot& robot) {
  for (const RobotDescription::JointEntry& entry : description.joints) {
    if (!entry.passive) continue;
    bool looped = false;
    for (const Loop& loop : robot.loops)
      for (int j : loop.joints) looped |= robot.treeJoint(j).name == entry.joint;
    if (!looped)
      failAt(description.file,
             entry.line,
             "[joint." + entry.joint +
                 "]: passive, but on no loop, so that nothing determines it; drive it, or hold it "
                 "by [ignore]");
  }
}

int freeMotions(const Robot& robot, const Eigen::VectorXd& q) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(kLoopGap);
  qr.compute(loopEquations(robot, q).A);
  return static_cast<int>(q.size() - qr.rank());
}

std::vector<std::string> loopedJoints(const Robot& robot) {
  std::vector<std::string> names;
  for (int j = 0; j < robot.numTreeJoints(); ++j)
    for (const Loop& loop : robot.loops) {
      const std::string& name = robot.treeJoint(j).name;
      if (std::find(loop.joints.begin(), loop.joints.end(), j) != loop.joints.end() &&
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  return names;
}

// Compares the degrees of freedom of the closed mechanism with the number of driven joints. At a
// singular position there are more degrees of freedom than elsewhere; therefore their number at
// nearby positions decides.
void checkMobility(const RobotDescription& description,
                   const Robot& robot,
                   const Eigen::VectorXd& q) {
  Eigen::VectorXd nearby = q;
  for (Eigen::Index j = 0; j < q.size(); ++j)
    nearby(j) += 0.1 * std::sin(1.0 + 2.0 * static_cast<double>(j));
  const int free = freeMotions(robot, q);
  if (free == robot.numJoints() || freeMotions(robot, nearby) == robot.numJoints()) return;
  const int more = robot.numJoints() - free;
  failAt(description.fileOf(description.loops.front()),
         description.loops.front().line,
         fmt::format(
             "[[loop]]: the loops leave {} free motion{}, and {} joints are driven ({}); mark {}{} "
             "of the loops' joints passive = true (joints of the loops: {}; passive now: {})",
             free,
             (free == 1 ? "" : "s"),
             robot.numJoints(),
             quoted(robot.jointNames()),
             std::abs(more),
             (more > 0 ? " more" : " fewer"),
             quoted(loopedJoints(robot)),
             quoted(namesOf(robot.passive_joints))));
}

}  // namespace

void applyLoops(const RobotDescription& description, Robot& robot) {
  if (!description.loops.empty() && robot.floating_base)
    failAt(description.fileOf(description.loops.front()),
           description.loops.front().line,
           "[[loop]]: loops of a floating base are not supported; describe a fixed base");
  addLoops(description, robot);
  const std::vector<std::string> passive = passiveJoints(description, robot);
  checkEntries(description, passive, robot);
  separatePassive(passive, robot);
  if (description.loops.empty()) return;
  checkPassive(description, robot);
  robot.assembly = assemblyStart(description, robot);
  ClosedPosition position = findAssembly(robot, robot.assembly);
  checkMobility(description, robot, position.q);
  if (robot.joints.empty())
    failAt(description.fileOf(description.loops.front()),
           description.loops.front().line,
           "[[loop]]: the loops hold every joint in place (" +
               quoted(namesOf(robot.passive_joints)) +
               "), so that nothing moves; remove the loop that closes no mechanism");
  if (!position.closed)
    failAt(description.fileOf(description.loops.front()),
           description.loops.front().line,
           "[[loop]]: " + position.reason +
               "; check origin_a, origin_b and axis, or say where the joints stand in the closed "
               "mechanism by `assembly` in their [joint.X]");
  robot.assembly = std::move(position.q);
  for (int j = robot.numJoints(); j < robot.numTreeJoints(); ++j) {
    const Joint& joint = robot.treeJoint(j);
    const double at = robot.assembly(j);
    if (withinLimits(joint, at)) continue;
    robot.warnings.push_back(fmt::format(
        "passive joint {} is at {} where the loops close, outside of its limits {} to {} -> check "
        "these limits, the [[loop]], or give `assembly` in the [joint.X] of the loop's joints",
        joint.name,
        toText(at, 4),
        toText(joint.limits.lower, 4),
        toText(joint.limits.upper, 4)));
  }
}

Robot cutOpen(const Robot& robot) {
  Robot tree = robot;
  tree.joints.insert(tree.joints.end(), tree.passive_joints.begin(), tree.passive_joints.end());
  tree.passive_joints.clear();
  tree.loops.clear();
  tree.assembly.resize(0);
  tree.drives.clear();
  for (const Joint& joint : tree.joints) {
    tree.drives.emplace_back();
    tree.drives.back().name = joint.name;
  }
  tree.T = Eigen::MatrixXd::Identity(tree.numJoints(), tree.numJoints());
  tree.transmission_offset = Eigen::VectorXd::Zero(tree.numJoints());
  tree.measured_at_actuator.assign(tree.joints.size(), false);
  return tree;
}

}  // namespace dynid
