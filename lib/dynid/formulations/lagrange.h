#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Lagrange's equations of the second kind, from the energies only:
///
///     d/dt (dL/d dq_j) - dL/dq_j = tau_j,   L = K - V
///
/// One pass of automatic differentiation per joint. Let e be the dual unit of time and f that of
/// joint j, with e^2 = f^2 = 0. At
///
///     q(e, f)  = q + dq e - u_j e f,     dq(e, f) = dq + ddq e + u_j f
///
/// the coefficient of e f in L is d/dt (dL/d dq_j) - dL/dq_j.
///
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
/// @returns Y [joints x 10 bodies] with tau = Y pi, since L is linear in the parameters
///
/// Source: De Luca, "Dynamic model of robots: Lagrangian approach", lecture notes Robotics 2,
/// Sapienza University of Rome.
Eigen::MatrixXd lagrangeRegressor(const Robot& robot,
                                  const Eigen::VectorXd& q,
                                  const Eigen::VectorXd& dq,
                                  const Eigen::VectorXd& ddq);

Formulation lagrangeFormulation();

}  // namespace dynid
