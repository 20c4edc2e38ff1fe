#pragma once

#include "dynid/robot/robot.h"

namespace dynid {

/// The robot with its root link as one more body, the last one, which rests in the root link's
/// frame: its ten parameters then stand in every layout, fit, model and export beside those of the
/// moving bodies. Joints do not see it, a wrench between ground and base does.
///
/// It hangs on the first joint with the multiplier 0, as a mimic joint that does not follow.
/// @throws std::invalid_argument for a robot without joints or with a root body already
Robot withRootBody(const Robot& robot);

/// Whether withRootBody made the robot.
bool hasRootBody(const Robot& robot);

}  // namespace dynid
