#include "dynid/robot/assembly.h"

#include "dynid/core/text.h"
#include "dynid/robot/couplings.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace dynid {
namespace {

constexpr int kStarts = 64;
constexpr double kSame = 1e-6;  // rad or m; positions closer than this are the same

// Exporters write 0 and 0 for unknown limits.
bool hasLimits(const Joint& joint) { return joint.limits.lower < joint.limits.upper; }

}  // namespace

bool withinLimits(const Joint& joint, double value) {
  return !hasLimits(joint) || (value >= joint.limits.lower && value <= joint.limits.upper);
}

namespace {

// An angle is the same position after a full turn. Returns the equivalent angle nearest to zero, if
// it is within the limits.
double nearZero(const Joint& joint, double value) {
  if (joint.prismatic) return value;
  const double least = std::remainder(value, 2.0 * std::numbers::pi);
  return withinLimits(joint, least) ? least : value;
}

bool passiveWithinLimits(const Robot& robot, const Eigen::VectorXd& q) {
  for (int j = robot.numJoints(); j < robot.numTreeJoints(); ++j)
    if (!withinLimits(robot.treeJoint(j), q(j))) return false;
  return true;
}

// Turns passive joints beyond their limits by full turns to within; false if one remains outside.
// The loops are closed again: a joint that mimics one of them need not turn by full turns with it.
bool turnWithinLimits(const Robot& robot, ClosedPosition& closed) {
  if (passiveWithinLimits(robot, closed.q)) return true;
  Eigen::VectorXd q = closed.q;
  for (int j = robot.numJoints(); j < robot.numTreeJoints(); ++j) {
    const Joint& joint = robot.treeJoint(j);
    const double middle = 0.5 * (joint.limits.lower + joint.limits.upper);
    if (!joint.prismatic && !withinLimits(joint, q(j)) && std::isfinite(middle))
      q(j) = middle + std::remainder(q(j) - middle, 2.0 * std::numbers::pi);
  }
  ClosedPosition turned = closeLoopsNear(robot, q);
  if (!turned.closed || !passiveWithinLimits(robot, turned.q)) return false;
  closed = std::move(turned);
  return true;
}

std::string passivePosition(const Robot& robot, const Eigen::VectorXd& q) {
  std::string text;
  for (int j = robot.numJoints(); j < robot.numTreeJoints(); ++j)
    text += (text.empty() ? "" : ", ") + robot.treeJoint(j).name + " = " + toText(q(j), 4);
  return text;
}

// All different closed positions with the driven joints at `start` and the passive joints within
// their limits.
std::vector<ClosedPosition> allAssemblies(const Robot& robot, const Eigen::VectorXd& start) {
  std::vector<ClosedPosition> found;
  std::mt19937_64 rng(1);
  for (int i = 0; i < kStarts; ++i) {
    Eigen::VectorXd q = start;
    for (int j = robot.numJoints(); j < robot.numTreeJoints(); ++j) {
      const Joint& joint = robot.treeJoint(j);
      const double reach = joint.prismatic ? loopSize(robot) : std::numbers::pi;
      const bool known = hasLimits(joint);
      const double lower = known && std::isfinite(joint.limits.lower) ? joint.limits.lower : -reach;
      const double upper = known && std::isfinite(joint.limits.upper) ? joint.limits.upper : reach;
      q(j) = lower + (upper - lower) * (static_cast<double>(rng() >> 11) * 0x1.0p-53);
    }
    ClosedPosition closed = closeLoopsNear(robot, q);
    if (!closed.closed) continue;
    bool known = false;
    for (int j = robot.numJoints(); j < robot.numTreeJoints(); ++j)
      closed.q(j) = nearZero(robot.treeJoint(j), closed.q(j));
    for (const ClosedPosition& other : found)
      known = known || (other.q - closed.q).cwiseAbs().maxCoeff() < kSame;
    if (!known && passiveWithinLimits(robot, closed.q)) found.push_back(std::move(closed));
  }
  return found;
}

}  // namespace

Eigen::VectorXd assemblyStart(const RobotDescription& description, const Robot& robot) {
  Eigen::VectorXd start(robot.numTreeJoints());
  for (int j = 0; j < robot.numTreeJoints(); ++j) {
    Joint joint = robot.treeJoint(j);
    for (const RobotDescription::JointEntry& entry : description.joints)
      if (entry.joint == joint.name) applyLimits(entry, joint.limits);
    const bool zero = joint.limits.lower <= 0.0 && joint.limits.upper >= 0.0;
    const bool bounded = std::isfinite(joint.limits.lower) && std::isfinite(joint.limits.upper);
    start(j) = 0.0;
    if (!zero)
      start(j) = bounded ? 0.5 * (joint.limits.lower + joint.limits.upper)
                         : (joint.limits.lower > 0.0 ? joint.limits.lower : joint.limits.upper);
    for (const RobotDescription::JointEntry& entry : description.joints)
      if (entry.joint == joint.name) start(j) = entry.assembly.value_or(start(j));
  }
  return start;
}

ClosedPosition findAssembly(const Robot& robot, const Eigen::VectorXd& start) {
  ClosedPosition near = closeLoopsNear(robot, start);
  if (!near.closed) {
    const ClosedPosition moved = closeLoopsNear(robot, closeAllJoints(robot, start));
    if (moved.closed) near = moved;
  }
  if (near.closed && turnWithinLimits(robot, near)) return near;
  const std::vector<ClosedPosition> all = allAssemblies(robot, start);
  if (all.size() == 1) return closeLoopsNear(robot, all.front().q);
  if (all.size() > 1) {
    near.closed = false;
    near.reason = fmt::format(
        "the loops close in {} ways or more ({}; or {}), and the description does not say in which "
        "the mechanism is assembled",
        all.size(),
        passivePosition(robot, all[0].q),
        passivePosition(robot, all[1].q));
  }
  return near;
}

}  // namespace dynid
