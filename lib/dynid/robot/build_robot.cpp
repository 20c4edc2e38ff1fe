#include "dynid/robot/build_robot.h"

#include "dynid/core/text.h"
#include "dynid/robot/apply_loops.h"
#include "dynid/robot/couplings.h"
#include "dynid/robot/kinematic_tree.h"
#include "dynid/robot/plausibility.h"
#include "dynid/robot/source_place.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

namespace dynid {
namespace {

std::string unknownJoint(const TreeDocument& document, const std::string& joint) {
  return "\"" + joint + "\" is not a joint of " + document.file +
         didYouMean(joint, document.jointNames());
}

/// Joints of `exclude_joints`, with their positions if they are given.
using ExcludedJoints = std::map<std::string, std::optional<double>>;

ExcludedJoints excludedJoints(const TreeDocument& document, const RobotOptions& options) {
  ExcludedJoints excluded;
  for (const std::string& text : options.exclude_joints) {
    const size_t sign = document.findJoint(text) < 0 ? text.rfind('=') : std::string::npos;
    const std::string joint = text.substr(0, sign);
    if (document.findJoint(joint) < 0)
      throw UsageError("`exclude_joints`: " + unknownJoint(document, joint) +
                       (joint.find(',') == std::string::npos
                            ? ""
                            : "; repeat `exclude_joints` for every joint"));
    std::optional<double>& position = excluded[joint];
    if (sign == std::string::npos) continue;
    position = parseFinite(text.substr(sign + 1));
    if (!position)
      throw UsageError("`exclude_joints`: the position of " + joint + " is \"" +
                       text.substr(sign + 1) + "\"; expected a number [rad or m]");
  }
  return excluded;
}

FrozenJoints frozenJoints(const TreeDocument& document,
                          const RobotDescription& description,
                          const ExcludedJoints& excluded) {
  FrozenJoints frozen;
  for (const RobotDescription::IgnoredJoint& ignored : description.ignored) {
    if (document.findJoint(ignored.joint) < 0)
      failAt(description.file, ignored.line, "ignore: " + unknownJoint(document, ignored.joint));
    frozen[ignored.joint] = ignored.value;
  }
  for (const auto& [joint, position] : excluded)
    if (position)
      frozen[joint] = *position;
    else
      frozen.emplace(joint, 0.0);  // keeps the description's value if it gives one
  return frozen;
}

void applyLinkBounds(const RobotDescription& description, Robot& robot) {
  for (const RobotDescription::LinkEntry& entry : description.links) {
    const std::string table = "[link." + entry.link + "]: ";
    std::vector<std::string> names;
    Body* owner = nullptr;
    for (Body& body : robot.bodies) {
      names.push_back(body.name);
      for (const Body::FixedLink& link : body.links)
        if (link.name == entry.link) owner = &body;
    }
    if (owner == nullptr) {
      for (const Body::FixedLink& link : robot.root_links)
        if (link.name == entry.link)
          failAt(description.file,
                 entry.line,
                 table +
                     "this link is fixed to the root link and never moves, so logs "
                     "do not depend on its inertia; remove the table");
      failAt(description.file,
             entry.line,
             table + "the robot has no such link" + didYouMean(entry.link, names) +
                 " (moving links: " + join(names) + ")");
    }
    if (owner->name != entry.link)
      failAt(description.file,
             entry.line,
             table + "this link is fixed to \"" + owner->name +
                 "\" and forms one body with it; give the bounds of the whole body in [link." +
                 owner->name + "]");
    owner->bounds = entry.bounds;
  }
}

/// Bounds of bodies that hold a link behind an excluded joint, which is fixed to them in this run:
/// the masses of their links add up, if all have bounds; bounds on where the mass is do not apply.
void mergeBounds(const TreeDocument& document,
                 const RobotDescription& as_written,
                 const ExcludedJoints& excluded,
                 Robot& robot) {
  for (const TreeJoint& joint : document.joints) {
    if (excluded.count(joint.name) == 0) continue;
    for (Body& body : robot.bodies) {
      const auto holds = [&](const Body::FixedLink& link) { return link.name == joint.child; };
      if (std::none_of(body.links.begin(), body.links.end(), holds)) continue;
      body.bounds.com_box.reset();
      body.bounds.ellipsoid.reset();
      if (!body.bounds.mass) continue;
      const auto entry =
          std::find_if(as_written.links.begin(), as_written.links.end(), [&](const auto& link) {
            return link.link == joint.child && link.bounds.mass.has_value();
          });
      if (entry == as_written.links.end()) {
        body.bounds.mass.reset();
        continue;
      }
      for (const int side : {0, 1}) (*body.bounds.mass)[side] += (*entry->bounds.mass)[side];
    }
  }
}

void applyPayload(const RobotDescription& description, Robot& robot) {
  if (!description.payload) return;
  std::vector<std::string> names;
  for (const Body& body : robot.bodies)
    for (const Body::FixedLink& link : body.links) names.push_back(link.name);
  for (const std::string& name : names)
    if (name == description.payload->link) robot.payload_link = name;
  if (!robot.payload_link)
    failAt(description.file,
           description.payload->line,
           "[payload]: the robot has no moving link \"" + description.payload->link + "\"" +
               didYouMean(description.payload->link, names) + " (links: " + join(names) + ")");
}

/// Removes the entries of the description about joints that are excluded in this run, and about the
/// links behind them. They do not apply to this run and are not a mistake of the description.
RobotDescription withoutExcluded(const TreeDocument& document,
                                 RobotDescription description,
                                 const ExcludedJoints& excluded) {
  const auto is_excluded = [&](const std::string& joint) { return excluded.count(joint) > 0; };
  std::set<std::string> links;
  for (const TreeJoint& joint : document.joints)
    if (is_excluded(joint.name)) links.insert(joint.child);
  std::erase_if(description.joints, [&](const auto& entry) { return is_excluded(entry.joint); });
  std::erase_if(description.links, [&](const auto& entry) { return links.count(entry.link) > 0; });
  return description;
}

/// Larger limits are placeholders for "no limit": [rad or m], [... per s], [... per s^2], [N m or
/// N].
constexpr double kEndlessPosition = 1e4;
constexpr double kEndlessRate = 1e6;
constexpr double kEndlessEffort = 1e9;

/// Replaces limits above these values by infinity. @returns one line with the joints concerned, if
/// any
std::vector<std::string> dropEndlessLimits(Robot& robot) {
  Remarks remarks;
  const auto drop = [&](double& limit, double endless, const std::string& name) {
    if (!std::isfinite(limit) || std::abs(limit) < endless) return;
    limit = std::copysign(kInfinity, limit);
    remarks.add("limits larger than those of any robot are taken as no limit:", name);
  };
  const auto drop_all = [&](Joint& joint) {
    JointLimits& limits = joint.limits;
    drop(limits.lower, kEndlessPosition, joint.name + " lower");
    drop(limits.upper, kEndlessPosition, joint.name + " upper");
    drop(limits.velocity, kEndlessRate, joint.name + " velocity");
    drop(limits.acceleration, kEndlessRate, joint.name + " acceleration");
    drop(limits.effort, kEndlessEffort, joint.name + " effort");
  };
  std::for_each(robot.joints.begin(), robot.joints.end(), drop_all);
  std::for_each(robot.passive_joints.begin(), robot.passive_joints.end(), drop_all);
  return remarks.lines();
}

/// Speeds [rad/s] of joints in degrees are beyond this, and round numbers.
constexpr double kFarSpeed = 50.0;
constexpr double kFarthest = 720.0, kFastest = 999.0;  // larger ones are placeholders

/// Position limits [m] and speeds [m/s] of prismatic joints in millimetres are beyond these. The
/// range of a mobile base is symmetric, speeds of 100 and of 1000 m/s are placeholders.
constexpr double kFarStroke = 100.0, kFastStroke = 100.0;

void noteMillimetres(const Joint& joint, Remarks& remarks) {
  const JointLimits& limits = joint.limits;
  if (std::isfinite(limits.upper - limits.lower) && limits.upper - limits.lower > kFarStroke &&
      limits.lower != -limits.upper)
    remarks.add("position limits in m are as large as if in millimetres: joints", joint.name);
  if (limits.velocity > kFastStroke && limits.velocity < kFastest)
    remarks.add("velocity limits in m/s are as large as if in mm/s: joints", joint.name);
}

/// Joints with limits that look like degrees or millimetres, or that leave no room.
std::vector<std::string> doubtfulLimits(const Robot& robot) {
  Remarks remarks;
  for (const Joint& joint : robot.joints) {
    if (joint.limits.lower == joint.limits.upper)  // exporters write 0 and 0 for unknown limits
      remarks.add("position limits leave no room to move: joints", joint.name);
    if (joint.prismatic) noteMillimetres(joint, remarks);
    if (joint.prismatic || joint.continuous) continue;
    const JointLimits& limits = joint.limits;
    const double farthest = std::max(std::abs(limits.lower), std::abs(limits.upper));
    if (areFarRoundLimits(limits) && farthest <= kFarthest)
      remarks.add("position limits in rad are as large as if in degrees: joints", joint.name);
    if (limits.velocity > kFarSpeed && limits.velocity <= kFastest &&
        isHalfInteger(limits.velocity))
      remarks.add("velocity limits in rad/s are as large as if in degrees: joints", joint.name);
  }
  return remarks.lines();
}

/// Adds the position effect of a spring to joints whose file defines one (MJCF stiffness), unless
/// the description lists position effects of the joint.
void addDescribedSprings(Robot& robot) {
  for (size_t j = 0; j < robot.joints.size(); ++j) {
    if (robot.joints[j].stiffness == 0.0 || j >= robot.drives.size()) continue;
    std::vector<PositionEffect>& effects = robot.drives[j].position_effects;
    if (effects.empty()) effects.emplace_back();
  }
}

}  // namespace

RobotOptions holding(const std::map<std::string, double>& positions) {
  RobotOptions options;
  for (const auto& [joint, position] : positions)
    options.exclude_joints.push_back(fmt::format("{}={}", joint, position));
  return options;
}

Robot buildRobot(const TreeDocument& document,
                 const RobotDescription& as_written,
                 const RobotOptions& options) {
  const ExcludedJoints excluded = excludedJoints(document, options);
  const RobotDescription description = withoutExcluded(document, as_written, excluded);
  Robot robot;
  const FrozenJoints frozen = frozenJoints(document, description, excluded);
  robot.ignored_joints = frozen;
  buildTree(document, frozen, description.floating_base, robot);
  if (description.gravity) robot.gravity = *description.gravity;
  robot.total_mass = description.total_mass;
  applyLoops(description, robot);
  applyTransmissions(description, robot);
  applyJointEntries(description, robot);
  applyLinkBounds(description, robot);
  mergeBounds(document, as_written, excluded, robot);
  applyPayload(description, robot);
  addDescribedSprings(robot);
  const std::vector<std::string> of_file = document.remarks.lines();
  robot.warnings.insert(robot.warnings.begin(), of_file.begin(), of_file.end());
  for (const std::string& line : dropEndlessLimits(robot)) robot.warnings.push_back(line);
  for (const std::string& line : doubtfulLimits(robot)) robot.warnings.push_back(line);
  for (const std::string& line : inertialWarnings(document, robot)) robot.warnings.push_back(line);
  if (const auto fault = lengthsInMillimetres(robot))
    robot.warnings.push_back(fault->message + " -> " + fault->remedy);
  else
    for (const std::string& line : offsetsInMillimetres(robot)) robot.warnings.push_back(line);
  return robot;
}

}  // namespace dynid
