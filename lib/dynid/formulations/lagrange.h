#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Lagrange's equations of the second kind, from the energies alone:
///
///     d/dt (dL/d dq_j) - dL/dq_j = tau_j,   L = K - V
///
/// One pass of automatic differentiation a joint. Along e = (time) and f = (the joint j), with
/// e^2 = f^2 = 0, at
///
///     q(e, f)  = q + dq e - u_j e f,     dq(e, f) = dq + ddq e + u_j f
///
/// the coefficient of e f in L is d/dt (dL/d dq_j) - dL/dq_j.
///
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
/// @returns Y [joints x 10 bodies], tau = Y pi; L is linear in the parameters.
///
/// Source: "Equations of Motion with the Lagrange Method", eq. eq-euler-lagrange; De Luca,
/// "Dynamic model of robots: Lagrangian approach".
Eigen::MatrixXd lagrangeRegressor(const Robot& robot,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq,
                                  const Eigen::VectorXd& ddq);

Formulation lagrangeFormulation();

}  // namespace dynid
