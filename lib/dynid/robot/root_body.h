#pragma once

#include "dynid/robot/robot.h"

namespace dynid {

/// The robot with its root link as an additional last body, which does not move in the root link's
/// frame. Its ten parameters are then part of every layout, fit, model and export. They do not
/// affect joint efforts; they affect the wrench between ground and base.
///
/// The body is attached to the first joint as a mimic joint with the multiplier 0.
/// @throws std::invalid_argument for a robot without joints, or if it has a root body already
Robot withRootBody(const Robot& robot);

/// Whether withRootBody made the robot.
bool hasRootBody(const Robot& robot);

}  // namespace dynid
