#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/robot.h"

#include <string>
#include <vector>

namespace dynid {

/// Names of the passive joints: those with `passive = true`. If the robot has loops and no joint of
/// the description gives `passive`, as many joints as the loops determine are chosen. In that case
/// the joints of the loops are taken as driven in this order, until the loops leave no more degrees
/// of freedom:
///
///     first   joints with a drive in the description (friction, gains ... or a [[transmission]])
///             or with an actuator in an MJCF
///     then    joints with an effort or velocity limit
///     then    joints with the fewest moving joints between them and the root
///     last    joints in the order of the tree
///
/// @param robot  with its loops, and with all joints still driven
std::vector<std::string> passiveJoints(const RobotDescription& description, const Robot& robot);

/// The driven joints ("turn, shoulder") of a robot with loops whose description gives no `passive`,
/// so that they were chosen by passiveJoints; empty for all other robots.
std::string chosenDrivenJoints(const Robot& robot);

}  // namespace dynid
