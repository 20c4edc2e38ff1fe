#pragma once

#include "dynid/robot/parameter_layout.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Whether the column is friction that must take energy from the motion. Offsets and ripple are not
/// dissipative; load-dependent friction takes energy whenever its parameter is not negative.
bool isDissipative(const Column& column);

/// The highest speed at which friction of an actuator (or joint) must be passive: the velocity
/// limit [rad/s or m/s], or 5 rad/s (0.5 m/s) where the robot description has none.
double highestFrictionSpeed(const Robot& robot, int joint);

/// Speeds of both signs at which friction is kept passive and checked [rad/s or m/s]: 200 evenly
/// spaced up to `highest` and 15 in geometric steps from 1e-4 of it to the first of them. Between
/// neighbours the terms of friction change by less than what a check can notice.
Eigen::VectorXd frictionSpeeds(double highest);

/// Effort against the motion per unit of each parameter in steady motion, where presliding is over
/// and its state is the sign of the speed:
///
///     resistance(i, c) = column_c(v_i) sign(v_i),   friction is passive where resistance * theta
///     >= 0
///
/// @param columns  dissipative friction columns of one actuator
/// @returns [speeds x columns]
Eigen::MatrixXd frictionResistance(const std::vector<Column>& columns,
                                   const Eigen::VectorXd& speeds);

}  // namespace dynid
