#pragma once

#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Standard parameters [10 bodies] that the description gives; NaN for bodies without.
Eigen::VectorXd describedParameters(const Robot& robot);

/// True if the description gives the inertia of every body that the joint moves.
bool hasPrior(const Robot& robot, int joint);

/// Efforts along a motion from the inertias and damping that the description gives, without dry
/// friction: rnea + damping dq, [samples x joints, N m or N]. Zero for joints without hasPrior.
Eigen::MatrixXd describedEfforts(const Robot& robot, const MotionSamples& motion);

/// Largest |effort| of every joint along a motion, |describedEfforts| + friction [N m or N]. Zero
/// for joints without hasPrior.
Eigen::VectorXd effortPeaks(const Robot& robot, const MotionSamples& motion);

/// Why the robot cannot even be held still within its position and effort limits: a sentence for
/// each joint whose limit gravity and friction exceed in the posture where least is exceeded
/// (random postures, the best ones improved). Empty: there is a posture, or one that lacks 5 % at
/// most, or no effort is limited.
std::vector<std::string> tooWeakToRest(const Robot& robot, const MotionLimits& limits);

}  // namespace dynid
