#pragma once

#include "dynid/excitation/information.h"
#include "dynid/robot/robot.h"

#include <string>
#include <vector>

namespace dynid {

/// What keeps a motion of the driven joints from being one of the mechanism: a loop that does not
/// close on the way (where, in words), or a passive joint beyond its own position, velocity or
/// acceleration limits. A sentence each; empty for a tree.
///
/// Looks at the samples only: between them nothing is bounded.
std::vector<std::string> mechanismViolations(const Robot& robot, const MotionSamples& motion);

/// Notes and reasons before a search: whether the loops close over the ranges of the driven joints.
/// @param lower, upper  [joints] of the positions
/// @param reasons       gets one where they close nowhere
void checkMechanismRange(const Robot& robot,
                         const Eigen::VectorXd& lower,
                         const Eigen::VectorXd& upper,
                         std::vector<std::string>& notes,
                         std::vector<std::string>& reasons);

}  // namespace dynid
