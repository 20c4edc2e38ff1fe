#pragma once

#include "dynid/excitation/information.h"
#include "dynid/robot/robot.h"

#include <string>
#include <vector>

namespace dynid {

/// Reasons why a motion of the driven joints is impossible for the mechanism: a loop that does not
/// close at some time, or a passive joint that exceeds its position, velocity or acceleration
/// limits. One sentence each; empty for a tree. Only the samples are checked; there is no bound
/// between them.
std::vector<std::string> mechanismViolations(const Robot& robot, const MotionSamples& motion);

/// Checks before a search whether the loops close over the ranges of the driven joints, and appends
/// notes and reasons.
/// @param lower, upper  [joints] position limits [rad or m]
/// @param reasons       receives one entry if the loops close nowhere
void checkMechanismRange(const Robot& robot,
                         const Eigen::VectorXd& lower,
                         const Eigen::VectorXd& upper,
                         std::vector<std::string>& notes,
                         std::vector<std::string>& reasons);

}  // namespace dynid
