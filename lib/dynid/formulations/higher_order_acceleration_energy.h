#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// The Gibbs-Appell equations one order higher: the derivative of the rate dS/dt of the
/// acceleration energy by the jerk,
///
///     d(dS/dt) / d dddq_j = tau_j
///
/// dS/dt is computed by automatic differentiation along a motion with the jerk dddq.
/// @param q, dq, ddq, dddq  [joints] rad or m, per s, per s^2, per s^3
/// @returns Y [joints x 10 bodies]; it does not depend on the value of dddq.
///
/// Source: Negrean et al., Symmetry 16(9), 1105, 2024, eq. 101.
Eigen::MatrixXd higherOrderRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq,
                                     const Eigen::VectorXd& dddq);

Formulation higherOrderFormulation();

}  // namespace dynid
