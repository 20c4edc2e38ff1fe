#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

namespace dynid {

/// Efforts of the rigid bodies for a motion of the joints, by the Newton-Euler recursion:
///
///     tau = M(q, pi) ddq + h(q, dq, pi),   h: Coriolis, centrifugal and gravity efforts
///
/// Source: Luh, Walker, Paul, "On-line computational scheme for mechanical manipulators", J. Dyn.
/// Syst. Meas. Control 102(2), 1980.
/// @param pi          [10 bodies] inertial parameters, m, h, I of each body about its origin
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
/// @returns [joints] N m or N: effort that the joints must exert under the robot's gravity; with
///     loops, of the driven joints
/// @throws std::invalid_argument for a wrong size; InputError if a loop does not close
Eigen::VectorXd inverseDynamics(const Robot& robot,
                                const Eigen::VectorXd& pi,
                                const Eigen::VectorXd& q,
                                const Eigen::VectorXd& dq,
                                const Eigen::VectorXd& ddq);

}  // namespace dynid
