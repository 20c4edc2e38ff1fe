#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/robot.h"

namespace dynid {

/// Closes the robot's chains: joints that the description calls passive leave Robot::joints for
/// Robot::passive_joints, its [[loop]] tables become Robot::loops, and Robot::assembly the closed
/// position nearest to where the description says that the joints stand (`assembly` of [joint.X];
/// else 0, or the middle of the limits where they leave 0 out).
/// @throws InputError for an unknown link or joint, a loop whose links cannot move against each
/// other, a passive joint on no loop, loops that do not close, more or fewer driven joints than the
/// loops leave free motions, a singular assembly.
void applyLoops(const RobotDescription& description, Robot& robot);

/// The cut-open tree: the same bodies, every passive joint an ordinary one (after the driven ones),
/// no loops, joints' own drives without coupling. What the constrained equations of motion are
/// written for: M ddq + bias = tau + A^T lambda.
Robot cutOpen(const Robot& robot);

}  // namespace dynid
