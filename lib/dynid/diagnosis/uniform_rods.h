#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

namespace dynid {

/// Inertial parameters of a machine of the same kinematics that is made of uniform rods: from every
/// joint origin to each joint origin behind it, radius 6 % of reachOf, density 1500 kg/m^3 (a
/// mixture of aluminium, motors and air). A link without a joint behind it is a stub with a length
/// of two radii. Massless links (Body::massless) have none. The result is right in signs and orders
/// of magnitude only.
/// @returns [10 bodies], each body's ten in its own frame
Eigen::VectorXd uniformRods(const Robot& robot);

/// The mass of all of them together [kg].
double massOfUniformRods(const Robot& robot);

}  // namespace dynid
