#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Regressor by the Newton-Euler recursion (inverseDynamics), column by column: column c of Y is
/// the effort of a robot whose parameters are zero except parameter c, which is 1.
///
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
/// @returns Y [joints x 10 bodies]
///
/// Source: Luh, Walker, Paul, J. Dyn. Syst. Meas. Control 102(2), 1980.
Eigen::MatrixXd newtonEulerRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq);

Formulation newtonEulerFormulation();

}  // namespace dynid
