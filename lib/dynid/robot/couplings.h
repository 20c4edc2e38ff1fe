#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/robot.h"

namespace dynid {

/// Fills the robot's drives (one per joint, named after it, or after the actuators of a coupled
/// group), T, transmission_offset and measured_at_actuator from the description's groups.
/// @throws InputError for an unknown, held, mimicking or repeated joint or actuator in a
/// group.
void applyTransmissions(const RobotDescription& description, Robot& robot);

/// Fills the drives and joint limits from the description's [joint.X] tables; X is a joint or an
/// actuator.
/// @throws InputError for an unknown X, a table for each name of the same drive, a gear ratio of a
/// coupled joint (the matrix holds it already).
void applyJointEntries(const RobotDescription& description, Robot& robot);

/// The limits of a [joint.X] table; those it does not give stay.
void applyLimits(const RobotDescription::JointEntry& entry, JointLimits& limits);

}  // namespace dynid
