#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/loop_closure.h"
#include "dynid/robot/robot.h"

namespace dynid {

/// Whether a position [rad or m] is within the limits of a joint. Limits without room between them
/// (0 and 0) are unknown: every position is within them.
bool withinLimits(const Joint& joint, double value);

/// Start value for the assembly of the mechanism [tree coordinates]: `assembly` of the description,
/// else zero, or the middle of the joint limits (those of the description, if it has any) if these
/// exclude zero.
Eigen::VectorXd assemblyStart(const RobotDescription& description, const Robot& robot);

/// Searches the closed position that the description means. Attempts, in this order:
/// - close the loops near `start` with the driven joints held there;
/// - close the loops near `start` by moving all joints;
/// - close the loops from 64 random positions of the passive joints with the driven joints at
/// `start`; accepted if exactly one solution lies within the limits of the passive joints.
/// The first two are accepted if the passive joints are within their limits, up to full turns, or
/// if the third finds nothing that is.
/// @returns a position that is not closed, with the reason, if no attempt succeeds or the last one
/// finds several solutions
ClosedPosition findAssembly(const Robot& robot, const Eigen::VectorXd& start);

}  // namespace dynid
