#pragma once

#include "dynid/robot/description.h"
#include "dynid/robot/robot.h"

namespace dynid {

/// Sets the robot's drives (one per joint, named after it, or after the actuators of a coupled
/// group), T, transmission_offset and measured_at_actuator from the description's groups.
/// @throws InputError for an unknown, frozen, mimicking or repeated joint or actuator in a group
void applyTransmissions(const RobotDescription& description, Robot& robot);

/// Sets the drives and joint limits from the description's [joint.X] tables, where X is a joint or
/// an actuator.
/// @throws InputError for an unknown X, for two tables of the same drive (one per name), and for a
/// gear ratio of a coupled joint (the coupling matrix contains it already)
void applyJointEntries(const RobotDescription& description, Robot& robot);

/// Overwrites the limits that a [joint.X] table gives; the others keep their values.
void applyLimits(const RobotDescription::JointEntry& entry, JointLimits& limits);

}  // namespace dynid
