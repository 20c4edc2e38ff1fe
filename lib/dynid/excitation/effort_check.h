#pragma once

#include "dynid/excitation/information.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

namespace dynid {

/// Standard parameters [10 bodies] that the description gives; NaN for bodies without.
Eigen::VectorXd describedParameters(const Robot& robot);

/// True if the description gives the inertia of every body that the joint moves.
bool hasPrior(const Robot& robot, int joint);

/// Largest |effort| of every joint along a motion, from the inertias, damping and friction that the
/// description gives [N m or N]: |rnea + damping dq| + friction. Zero for joints without hasPrior.
Eigen::VectorXd effortPeaks(const Robot& robot, const MotionSamples& motion);

}  // namespace dynid
