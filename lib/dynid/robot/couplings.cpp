#include "dynid/robot/couplings.h"

#include "dynid/core/text.h"
#include "dynid/robot/source_place.h"

#include <set>

namespace dynid {
namespace {

int indexOf(const std::vector<std::string>& names, const std::string& name) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int>(i);
  return -1;
}

/// Why a name does not denote a moving, independent joint.
std::string whyNotAJoint(const Robot& robot, const std::string& name) {
  if (robot.ignored_joints.count(name) > 0)
    return "joint \"" + name +
           "\" is ignored or excluded, so it has no drive; remove the entry or let the joint move";
  for (const Joint& passive : robot.passive_joints)
    if (passive.name == name)
      return "joint \"" + name +
             "\" is passive, so it has no drive; only limits and assembly apply to it";
  for (const Body& body : robot.bodies)
    if (body.joint_name == name)
      return "joint \"" + name + "\" mimics \"" + robot.treeJoint(body.joint).name +
             "\" and has no drive; describe that joint";
  std::vector<std::string> known = robot.jointNames();
  for (const Drive& drive : robot.drives)
    if (indexOf(known, drive.name) < 0) known.push_back(drive.name);
  return "the robot has no moving joint \"" + name + "\"" + didYouMean(name, known) +
         " (joints: " + join(known) + ")";
}

std::vector<int> groupJoints(const RobotDescription& description,
                             const RobotDescription::Transmission& group,
                             const Robot& robot,
                             std::set<int>& grouped) {
  std::vector<int> members;
  const std::vector<std::string> names = robot.jointNames();
  for (const std::string& name : group.joints) {
    const int joint = indexOf(names, name);
    if (joint < 0)
      failAt(description.file, group.line, "[[transmission]]: " + whyNotAJoint(robot, name));
    if (!grouped.insert(joint).second)
      failAt(
          description.file,
          group.line,
          "[[transmission]]: joint \"" + name + "\" is named twice; a joint belongs to one group");
    members.push_back(joint);
  }
  return members;
}

void applyDrive(const RobotDescription::JointEntry& entry, bool named_as_actuator, Drive& drive) {
  if (entry.friction) {
    drive.automatic_friction = false;
    drive.friction = *entry.friction;
  }
  for (const RobotDescription::JointEntry::Position& position : entry.position_effects) {
    PositionEffect effect = position.effect;
    if (!position.side_given) effect.at_actuator = named_as_actuator;
    drive.position_effects.push_back(effect);
  }
  if (entry.drive_inertia) drive.drive_inertia = *entry.drive_inertia;
  drive.gear_ratio = entry.gear_ratio;
  drive.drive_gain = entry.drive_gain;
  drive.identify_gain = entry.identify_gain;
}

bool isPassive(const Robot& robot, const std::string& name) {
  return std::any_of(robot.passive_joints.begin(),
                     robot.passive_joints.end(),
                     [&](const Joint& joint) { return joint.name == name; });
}

bool hasLimits(const RobotDescription::JointEntry& entry) {
  return entry.position_limits || entry.velocity_limit || entry.acceleration_limit ||
         entry.effort_limit;
}

}  // namespace

void applyLimits(const RobotDescription::JointEntry& entry, JointLimits& limits) {
  if (entry.position_limits) {
    limits.lower = (*entry.position_limits)[0];
    limits.upper = (*entry.position_limits)[1];
  }
  limits.velocity = entry.velocity_limit.value_or(limits.velocity);
  limits.acceleration = entry.acceleration_limit.value_or(limits.acceleration);
  limits.effort = entry.effort_limit.value_or(limits.effort);
}

void applyTransmissions(const RobotDescription& description, Robot& robot) {
  const size_t n = robot.joints.size();
  robot.drives.resize(n);
  for (size_t i = 0; i < n; ++i) robot.drives[i].name = robot.joints[i].name;
  robot.T = Eigen::MatrixXd::Identity(robot.numJoints(), robot.numJoints());
  robot.transmission_offset = Eigen::VectorXd::Zero(robot.numJoints());
  robot.measured_at_actuator.assign(n, false);
  std::set<int> grouped;
  for (const RobotDescription::Transmission& group : description.transmissions) {
    const std::vector<int> members = groupJoints(description, group, robot, grouped);
    for (size_t a = 0; a < members.size(); ++a) {
      robot.drives[members[a]].name = group.actuators[a];
      robot.measured_at_actuator[members[a]] = group.measured_at_actuator;
      robot.transmission_offset(members[a]) = group.offset(a);
      for (size_t b = 0; b < members.size(); ++b) robot.T(members[a], members[b]) = group.T(a, b);
    }
  }
  // Columns of logs and models use these names. Therefore an actuator may share its name only with
  // the joint that it drives alone.
  const std::vector<std::string> joints = robot.jointNames(), actuators = robot.actuatorNames();
  std::set<std::string> seen;
  for (const RobotDescription::Transmission& group : description.transmissions) {
    for (size_t a = 0; a < group.actuators.size(); ++a) {
      const std::string& name = group.actuators[a];
      const int as_joint = indexOf(joints, name);
      if (!seen.insert(name).second || (as_joint >= 0 && joints[as_joint] != group.joints[a]))
        failAt(description.file,
               group.line,
               "[[transmission]]: actuator \"" + name +
                   "\" has the name of another actuator or joint; give each actuator a different "
                   "name");
    }
  }
}

void applyJointEntries(const RobotDescription& description, Robot& robot) {
  const std::vector<std::string> joints = robot.jointNames(), actuators = robot.actuatorNames();
  std::set<std::string> grouped;
  for (const RobotDescription::Transmission& group : description.transmissions)
    grouped.insert(group.joints.begin(), group.joints.end());
  std::set<int> described;
  for (const RobotDescription::JointEntry& entry : description.joints) {
    if (isPassive(robot, entry.joint)) continue;  // handled by applyLoops
    const std::string table = "[joint." + entry.joint + "]: ";
    const int as_joint = indexOf(joints, entry.joint),
              as_actuator = indexOf(actuators, entry.joint);
    if (as_joint < 0 && as_actuator < 0)
      failAt(description.file, entry.line, table + whyNotAJoint(robot, entry.joint));
    const int index = as_joint >= 0 ? as_joint : as_actuator;
    if (entry.gear_ratio && grouped.count(joints[index]) > 0)
      failAt(description.file,
             entry.line,
             table +
                 "gear_ratio is given for a joint of a [[transmission]], whose matrix "
                 "holds the ratios already; remove gear_ratio");
    if (hasLimits(entry)) {
      if (as_joint < 0)
        failAt(description.file,
               entry.line,
               table + "limits belong to a joint, and \"" + entry.joint +
                   "\" is an actuator; put them into [joint." + joints[index] + "]");
      applyLimits(entry, robot.joints[index].limits);
    }
    if (!entry.describes_drive) continue;
    if (!described.insert(index).second)
      failAt(description.file,
             entry.line,
             table + "the same drive is described under \"" + joints[index] + "\" and under \"" +
                 actuators[index] + "\"; put all of it under one name");
    applyDrive(entry, as_joint < 0, robot.drives[index]);
  }
}

}  // namespace dynid
