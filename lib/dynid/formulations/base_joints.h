#pragma once

#include "dynid/robot/robot.h"

namespace dynid {

/// Number of coordinates that withBaseJoints puts in front.
inline constexpr int kBaseJoints = 6;

/// A floating-base robot as a robot on the ground: its root link becomes body 5, carried by three
/// slides (x, y, z of the world) and three hinges (yaw z, pitch y, roll x), whose five intermediate
/// bodies have no links and no mass. Joints and bodies of the robot follow in their order. Every
/// formulation in generalized coordinates then serves a floating base; the chart is singular at a
/// pitch of pi/2 (limits of +-1.2 rad keep away from it).
/// @throws std::invalid_argument if the robot's base does not float.
Robot withBaseJoints(const Robot& robot);

/// True for a robot that withBaseJoints made.
bool hasBaseJoints(const Robot& robot);

/// The robot behind the base: the inverse, seen from its root link.
/// @throws std::invalid_argument if it was not made by withBaseJoints.
Robot withoutBaseJoints(const Robot& robot);

}  // namespace dynid
