#pragma once

#include "dynid/logs/log.h"
#include "dynid/robot/robot.h"
#include "dynid/simulation/simulated_effort.h"

namespace dynid {

/// Adds columns of sensors at the passive joints to a log of the driven ones: noise-free positions,
/// velocities and accelerations if the log has them, and efforts of zero.
/// @param exact  the exact motion
/// @param raw    receives one column per passive joint, after those of the driven joints
/// @throws InputError if a loop does not close
void appendPassiveColumns(const Robot& robot, const SimulatedBlock& exact, RawBlock& raw);

}  // namespace dynid
