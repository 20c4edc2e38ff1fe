#pragma once

#include "dynid/robot/robot.h"
#include "dynid/robot/tree_document.h"

#include <map>
#include <string>

namespace dynid {

/// Joints to hold at a value [rad or m], by name.
using FrozenJoints = std::map<std::string, double>;

/// The tree of moving bodies of a URDF: bodies in topological order (depth first, children in the
/// file's order), links behind fixed or frozen joints lumped into the body they hang on, mimic
/// chains resolved to independent joints, limits of mimic joints mapped to their masters. Fills
/// name, root_link, floating_base, root_links, root_prior, bodies, joints. `base_floats`: what the
/// description says, if it does; else the root floats if a `floating` joint hangs on it.
/// @throws InputError for a mimic without master, a circle of mimics, a floating joint elsewhere,
/// no moving joint.
void buildTree(const TreeDocument& document,
               const FrozenJoints& frozen,
               std::optional<bool> base_floats,
               Robot& robot);

}  // namespace dynid
