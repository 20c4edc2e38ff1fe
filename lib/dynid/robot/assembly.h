#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/loop_closure.h"
#include "dynid/robot/robot.h"

namespace dynid {

/// Where the joints stand in the closed mechanism, about: `assembly` of the description, or zero,
/// or within their limits. [tree coordinates]
Eigen::VectorXd assemblyStart(const RobotDescription& description, const Robot& robot);

/// The closed position that the description means: the one near `start` with the driven joints held
/// there; else near where moving all joints closes the loops; else, with the driven joints at
/// `start` again, the only one within the limits of the passive joints that 64 random starts find.
/// @return not closed, with the reason, where there is none, or more than one at the last attempt
ClosedPosition findAssembly(const Robot& robot, const Eigen::VectorXd& start);

}  // namespace dynid
