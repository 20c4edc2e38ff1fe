#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/tree_document.h"

namespace dynid {

/// Builds the robot from the parsed robot file and its description: tree, frozen joints, drives,
/// couplings, limits and bounds. The texts and the hash stay empty (parseRobot sets them).
/// @throws InputError for names of the description that the robot file does not have and for the
/// errors of buildTree, applyTransmissions and applyJointEntries; UsageError for an unknown
/// excluded joint
Robot buildRobot(const TreeDocument& document,
                 const RobotDescription& description,
                 const RobotOptions& options);

}  // namespace dynid
