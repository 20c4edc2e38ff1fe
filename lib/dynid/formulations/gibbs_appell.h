#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Gibbs-Appell equations: the derivative of the acceleration energy S by the accelerations,
///
///     dS/d ddq_j = tau_j
///
/// with gravity included in S as an acceleration of the base. S is linear in the parameters.
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
/// @returns Y [joints x 10 bodies]
///
/// Source: Papastavridis, "Analytical mechanics", 2002, Appell's equations; Negrean et al.,
/// Symmetry 16(9), 1105, 2024, eq. 139.
Eigen::MatrixXd gibbsAppellRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq);

Formulation gibbsAppellFormulation();

}  // namespace dynid
