#pragma once

#include "dynid/robot/parameter_layout.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Whether the column belongs to friction that must dissipate energy. Offset and ripple are not
/// dissipative. Load-dependent friction is not included: it dissipates whenever its parameter is
/// not negative.
bool isDissipative(const Column& column);

/// The highest speeds at which the friction of the joints must be passive: their velocity limits
/// [rad/s or m/s], or 5 rad/s (0.5 m/s) where the robot description has none.
Eigen::VectorXd highestJointSpeeds(const Robot& robot);

/// The same of the actuators: the highest speed of actuator a while no joint exceeds its speed v_j
/// is sum_j |T^-1(a, j)| v_j. Without coupling it is that of the joint.
Eigen::VectorXd highestActuatorSpeeds(const Robot& robot);

/// Speeds of both signs at which friction is constrained to be passive and checked [rad/s or m/s]:
/// 200 evenly spaced values up to `highest`, and 15 geometrically spaced values from 1e-4 of
/// `highest` to the first of them. The friction terms change little between neighbouring speeds.
Eigen::VectorXd frictionSpeeds(double highest);

/// Effort against the direction of motion, per unit of each parameter, in steady motion. The
/// presliding state has then converged to the sign of the velocity:
///
///     resistance(i, c) = column_c(v_i) sign(v_i)
///
/// Friction with parameters theta is passive if resistance * theta >= 0.
///
/// @param columns  dissipative friction columns of one actuator
/// @param speeds   [rad/s or m/s]
/// @returns [speeds x columns]
Eigen::MatrixXd frictionResistance(const std::vector<Column>& columns,
                                   const Eigen::VectorXd& speeds);

/// What the height of each Stribeck curve leaves to its bound: 3 (sum of the Coulomb parameters) -
/// (parameter of the curve) >= 0. Measured friction at the onset of motion is about one to two
/// times that in motion (Armstrong-Helouvry, Dupont, Canudas de Wit, Automatica 30, 1994). A
/// low-pass hides a narrow curve nearly entirely, so that a fit without this bound may give it any
/// height.
///
/// @param columns  friction columns of one actuator
/// @returns [Stribeck curves x columns]; no rows without Coulomb friction
Eigen::MatrixXd stribeckMargin(const std::vector<Column>& columns);

}  // namespace dynid
