#include "dynid/robot/driven_joints.h"

#include "dynid/core/text.h"
#include "dynid/robot/assembly.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace dynid {
namespace {

bool saysPassive(const RobotDescription& description) {
  return std::any_of(description.joints.begin(), description.joints.end(), [](const auto& entry) {
    return entry.passive;
  });
}

int depthOf(const Robot& robot, int body) {
  int depth = 0;
  for (int k = body; k >= 0; k = robot.bodies[k].parent) ++depth;
  return depth;
}

// Tree coordinates of the loops' joints, in descending order of the evidence that they have a
// motor.
std::vector<int> byLikelihood(const RobotDescription& description, const Robot& robot) {
  std::set<std::string> drives(description.actuated.begin(), description.actuated.end());
  for (const RobotDescription::JointEntry& entry : description.joints)
    if (entry.describes_drive) drives.insert(entry.joint);
  for (const RobotDescription::Transmission& group : description.transmissions)
    drives.insert(group.joints.begin(), group.joints.end());
  std::set<int> looped;
  for (const Loop& loop : robot.loops) looped.insert(loop.joints.begin(), loop.joints.end());
  std::vector<int> order(looped.begin(), looped.end());
  const auto rank = [&](int j) {
    const Joint& joint = robot.joints[j];
    const bool limited = std::isfinite(joint.limits.effort) || std::isfinite(joint.limits.velocity);
    return std::tuple(
        drives.count(joint.name) == 0, !limited, depthOf(robot, joint.body), joint.body);
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
  return order;
}

// A generic position in which the loops close as far as possible. In the drawn position the rows
// may be dependent by accident (for example with all links on one line), so that a displaced
// position is used if its loops close too.
Eigen::VectorXd usualPosition(const RobotDescription& description, const Robot& robot) {
  const Eigen::VectorXd drawn = closeAllJoints(robot, assemblyStart(description, robot));
  Eigen::VectorXd moved = drawn;
  for (Eigen::Index j = 0; j < moved.size(); ++j)
    moved(j) += 0.2 * std::sin(1.0 + 2.0 * static_cast<double>(j));
  moved = closeAllJoints(robot, moved);
  const auto gap = [&](const Eigen::VectorXd& q) {
    return loopEquations(robot, q).c.cwiseAbs().maxCoeff();
  };
  return gap(moved) < kLoopGap || gap(moved) < gap(drawn) ? moved : drawn;
}

}  // namespace

std::vector<std::string> passiveJoints(const RobotDescription& description, const Robot& robot) {
  std::vector<std::string> names;
  if (saysPassive(description) || robot.loops.empty()) {
    for (const RobotDescription::JointEntry& entry : description.joints)
      if (entry.passive) names.push_back(entry.joint);
    return names;
  }
  // Joints are checked in ascending order of the evidence that they have a motor. A joint is
  // passive if its column is independent of the columns chosen before: the loops then determine its
  // position.
  const Eigen::MatrixXd A = loopEquations(robot, usualPosition(description, robot)).A;
  std::vector<int> order = byLikelihood(description, robot);
  std::reverse(order.begin(), order.end());
  std::vector<Eigen::VectorXd> basis;
  for (int j : order) {
    Eigen::VectorXd column = A.col(j);
    const double size = column.norm();
    for (int pass = 0; pass < 2; ++pass)
      for (const Eigen::VectorXd& direction : basis) column -= direction.dot(column) * direction;
    if (!(column.norm() > kLoopGap * size)) continue;
    basis.push_back(column.normalized());
    names.push_back(robot.joints[j].name);
  }
  return names;
}

std::string chosenDrivenJoints(const Robot& robot) {
  if (robot.loops.empty() ||
      saysPassive(parseDescription(robot.description_text, "robot description")))
    return "";
  return join(robot.jointNames());
}

}  // namespace dynid
