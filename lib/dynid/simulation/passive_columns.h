#pragma once

#include "dynid/logs/log.h"
#include "dynid/robot/robot.h"
#include "dynid/simulation/simulated_effort.h"

namespace dynid {

/// What sensors at the passive joints would add to a log of the driven ones: their positions, and
/// velocities and accelerations where the log has them, without noise; efforts of zero.
/// @param exact  the motion
/// @param raw    gets a column a passive joint, behind the driven ones
/// @throws InputError where a loop does not close
void appendPassiveColumns(const Robot& robot, const SimulatedBlock& exact, RawBlock& raw);

}  // namespace dynid
