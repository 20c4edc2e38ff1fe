#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// The Newton-Euler recursion (inverseDynamics), column by column: column c of Y is the effort of a
/// robot whose only parameter that is not zero is c, with the value 1.
///
/// @returns Y [joints x 10 bodies]
///
/// Source: De Luca, "Dynamic model of robots"; Luh, Walker, Paul 1980.
Eigen::MatrixXd newtonEulerRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq);

Formulation newtonEulerFormulation();

}  // namespace dynid
