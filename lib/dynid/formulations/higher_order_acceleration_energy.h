#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// The Gibbs-Appell equation one order higher: the rate dS/dt of the acceleration energy,
/// differentiated by the jerk,
///
///     d(dS/dt) / d dddq_j = tau_j
///
/// which is how motions of high order (rapid ones) are written. dS/dt by automatic differentiation
/// along a motion with the jerk dddq.
/// @returns Y [joints x 10 bodies]; it does not depend on the value of dddq.
///
/// Source: Negrean et al. 2024, eq. 101.
Eigen::MatrixXd higherOrderRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq,
                                     const Eigen::VectorXd& dddq);

Formulation higherOrderFormulation();

}  // namespace dynid
