#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/robot.h"

namespace dynid {

/// Closes the robot's kinematic loops. The passive joints of the description move from
/// Robot::joints to Robot::passive_joints, its [[loop]] tables become Robot::loops, and
/// Robot::assembly becomes the closed position nearest to the described assembly position
/// (`assembly` of [joint.X]; default 0, or the middle of the limits if these exclude 0).
/// @throws InputError for an unknown link or joint, a loop whose links cannot move relative to each
/// other, a passive joint that is in no loop, loops that do not close, a number of driven joints
/// that differs from the degrees of freedom left by the loops, or a singular assembly position
void applyLoops(const RobotDescription& description, Robot& robot);

/// The spanning tree of the mechanism, with every loop opened: the same bodies, every passive joint
/// an ordinary joint (after the driven ones), no loops, and one drive per joint without coupling.
/// The constrained equations of motion M ddq + bias = tau + A^T lambda are written for this tree.
Robot cutOpen(const Robot& robot);

}  // namespace dynid
