#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/robot.h"

#include <string>
#include <vector>

namespace dynid {

/// Names of the joints that the description means to be passive: those with `passive = true`, or,
/// where loops are there and no joint says `passive`, as many as the loops determine. Of the joints
/// of the loops these have a motor then, as far as the loops leave them free:
///
///     first   those with a drive in the description (friction, gains ... or a [[transmission]]) or
///             with an actuator in an MJCF
///     then    those with an effort or velocity limit
///     then    those with the fewest moving joints between them and the root
///     last    in the order of the tree
///
/// @param robot  all joints still driven, loops there
std::vector<std::string> passiveJoints(const RobotDescription& description, const Robot& robot);

/// "turn, shoulder": the driven joints of a robot whose description has loops but says `passive` of
/// no joint, so that they were chosen; empty where they were not.
std::string chosenDrivenJoints(const Robot& robot);

}  // namespace dynid
