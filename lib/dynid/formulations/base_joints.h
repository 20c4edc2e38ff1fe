#pragma once

#include "dynid/robot/robot.h"

namespace dynid {

/// Number of coordinates that withBaseJoints adds before those of the joints.
inline constexpr int kBaseJoints = 6;

/// A floating-base robot represented as a robot with a fixed base. Its root link becomes body 5,
/// carried by three prismatic joints (x, y, z of the world) and three revolute joints (yaw about z,
/// pitch about y, roll about x). The five intermediate bodies have no links and no mass. The joints
/// and bodies of the robot follow in their order. Every formulation in generalized coordinates thus
/// applies to a floating base. The coordinates are singular at a pitch of pi/2; limits of +-1.2 rad
/// exclude it.
/// @throws std::invalid_argument if the base of the robot does not float
Robot withBaseJoints(const Robot& robot);

/// Whether the robot was made by withBaseJoints.
bool hasBaseJoints(const Robot& robot);

/// The robot without its base coordinates, relative to its root link: the inverse of
/// withBaseJoints.
/// @throws std::invalid_argument if the robot was not made by withBaseJoints
Robot withoutBaseJoints(const Robot& robot);

}  // namespace dynid
