#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Gibbs-Appell: the acceleration energy S, differentiated once,
///
///     dS/d ddq_j = tau_j
///
/// with gravity in S as an acceleration of the base.
/// @returns Y [joints x 10 bodies]; S is linear in the parameters.
///
/// Source: "Other methods for derivation of systems dynamics", Gibbs-Appell equations; Negrean et
/// al. 2024, eq. 139.
Eigen::MatrixXd gibbsAppellRegressor(const Robot& robot,
                                     const Eigen::VectorXd& q,
                                     const Eigen::VectorXd& dq,
                                     const Eigen::VectorXd& ddq);

Formulation gibbsAppellFormulation();

}  // namespace dynid
