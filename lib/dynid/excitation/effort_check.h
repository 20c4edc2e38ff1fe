#pragma once

#include "dynid/excitation/excitation_design.h"
#include "dynid/excitation/fourier_basis.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Standard parameters [10 bodies] according to the robot description; NaN for bodies without.
Eigen::VectorXd describedParameters(const Robot& robot);

/// Whether the description gives the inertia of every body that the joint moves.
bool hasPrior(const Robot& robot, int joint);

/// Efforts along a motion from the described inertias, springs and damping, without dry friction:
/// inverse dynamics + drive_inertia ddq + damping dq + stiffness (q - spring_reference),
/// [samples x joints, N m or N]. Zero for joints without hasPrior.
Eigen::MatrixXd describedEfforts(const Robot& robot, const MotionSamples& motion);

/// Largest |describedEfforts| + friction of every joint along a motion [N m or N]. Zero for joints
/// without hasPrior.
Eigen::VectorXd effortPeaks(const Robot& robot, const MotionSamples& motion);

/// Reasons why the robot cannot be held at rest within its position and effort limits: one sentence
/// per joint whose limit is exceeded by gravity and friction in the posture with the smallest
/// excess (found among random postures with local improvement). Empty if there is a suitable
/// posture, if the excess is at most 5 %, or if efforts are not limited.
std::vector<std::string> tooWeakToRest(const Robot& robot, const MotionLimits& limits);

}  // namespace dynid
