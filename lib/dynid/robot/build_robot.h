#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/tree_document.h"

namespace dynid {

/// The robot of a URDF and its description: tree, frozen joints, drives, couplings, limits, bounds.
/// Texts and hash stay empty (parseRobot fills them).
/// @throws InputError for names of the description that the URDF does not have and for what
/// buildTree, applyTransmissions and applyJointEntries refuse; UsageError for an unknown excluded
/// joint.
Robot buildRobot(const TreeDocument& document,
                 const RobotDescription& description,
                 const RobotOptions& options);

}  // namespace dynid
