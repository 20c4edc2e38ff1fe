#pragma once

#include "dynid/robot/robot.h"
#include "dynid/robot/tree_document.h"

#include <map>
#include <string>

namespace dynid {

/// Joints that are held at a value [rad or m], by name.
using FrozenJoints = std::map<std::string, double>;

/// Builds the tree of moving bodies: bodies in topological order (depth first, children in the
/// order of the file), links behind fixed or frozen joints lumped into the body to which they are
/// fixed, chains of mimic joints resolved to independent joints, and limits of mimic joints mapped
/// to the joint they follow. Sets name, root_link, floating_base, root_links, root_prior, bodies
/// and joints of the robot.
/// @param base_floats  value from the description; if empty, the root floats if a `floating` joint
/// connects to it
/// @throws InputError for a mimic joint without a joint to follow, a cycle of mimic joints, a
/// floating joint elsewhere, and a robot without moving joints
void buildTree(const TreeDocument& document,
               const FrozenJoints& frozen,
               std::optional<bool> base_floats,
               Robot& robot);

}  // namespace dynid
