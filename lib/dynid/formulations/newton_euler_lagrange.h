#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// The parts of the joint efforts: tau = (inertia + coupling + gravity) pi, each [joints x 10
/// bodies]; the ten columns of a link are its contribution.
struct LinkEffects {
  Eigen::MatrixXd inertia;   ///< M_k ddq
  Eigen::MatrixXd coupling;  ///< dM_k/dt dq - dK_k/dq: centrifugal and Coriolis
  Eigen::MatrixXd gravity;   ///< dV_k/dq
};

/// The modified Newton-Euler-Lagrange method. Velocities and their derivatives by time and by the
/// coordinates are propagated outward along the tree as in the Newton-Euler recursion. Lagrange's
/// operator is applied to the kinetic energy K_k and potential energy V_k of each link separately,
///
///     K_k = 1/2 V_k.P_k(V_k),   dK_k/d dq_j = J_kj.P_k(V_k),   dK_k/dq_j = dV_k/dq_j.P_k(V_k)
///     inertia  = J^T P(J ddq)
///     coupling = (dJ/dt - dV/dq)^T P(V) + J^T P(dJ/dt dq)
///     gravity  = d/dq of -g.(m p + R h)
///
/// Here V_k (in P) is the twist of link k, J_k its Jacobian, and P(V) pi = (m v + w x h, h x v + I
/// w) its momentum.
///
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
LinkEffects linkEffects(const Robot& robot,
                        const Eigen::VectorXd& q,
                        const Eigen::VectorXd& dq,
                        const Eigen::VectorXd& ddq);

Formulation newtonEulerLagrangeFormulation();

}  // namespace dynid
