#pragma once

#include "dynid/model/model.h"
#include "dynid/statistics/gather.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// ||friction|| / ||measured effort|| of every channel over the moving rows, filtered, actuator
/// side. Friction is all that resists the motion: every term but offset and ripple. NaN where none
/// was fitted, or where nothing was measured in motion.
/// @param score  statistics of inverse dynamics with the columns of `regression`
/// @param parameters  of the layout
Eigen::VectorXd frictionShares(const Regression& regression,
                               const Statistics& score,
                               const Eigen::VectorXd& parameters);

/// Signs that the column of the efforts is no measurement, one sentence each:
///
///     friction  efforts without friction, which no drive has: friction was fitted to every joint
///               that moves, to two at least, and is less than 1 % of the effort of each. The
///               torque that a controller computes from a model and many simulations have none.
///     constant  the offset of a joint that moves is well determined (standard deviation below a
///               tenth of it), more than a quarter of its effort and more than four times its
///               friction: tared or biased efforts, undescribed springs. None on the logs of nine
///               real robots
///     at rest   the error that is neither noise nor there in motion is more than a tenth of the
///               effort of a joint, and more than its friction: a position that was not recorded
///               while the joint moved, brakes, supports
///     noise     noise floor above kLargestError
///
/// @param friction  frictionShares; empty: not known
std::vector<std::string> effortReservations(const Model& model, const Eigen::VectorXd& friction);

}  // namespace dynid
