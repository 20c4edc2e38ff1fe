#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// What makes up the joint efforts, link by link: tau = (inertia + coupling + gravity) pi, each
/// [joints x 10 bodies], the ten columns of a link its own share.
struct LinkEffects {
  Eigen::MatrixXd inertia;   ///< M_k ddq
  Eigen::MatrixXd coupling;  ///< dM_k/dt dq - dK_k/dq: centrifugal and Coriolis
  Eigen::MatrixXd gravity;   ///< dV_k/dq
};

/// The modified Newton-Euler-Lagrange method: velocities, and their derivatives with respect to
/// time and to the coordinates, run outward along the tree as in the Newton-Euler recursion; each
/// link's kinetic and potential energy is kept apart and Lagrange's operator is applied to each
/// piece,
///
///     K_k = 1/2 V_k.P_k(V_k),   dK_k/d dq_j = J_kj.P_k(V_k),   dK_k/dq_j = dV_k/dq_j.P_k(V_k)
///     inertia  = J^T P(J ddq)
///     coupling = (dJ/dt - dV/dq)^T P(V) + J^T P(dJ/dt dq)
///
/// with P(V) pi = (m v + w x h, h x v + I w) the link's momentum; the inertial part first, the
/// potential part V_k = -g.(m p + R h) after it.
///
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
///
/// Source: "Other methods for derivation of systems dynamics", modified Newton-Euler-Lagrange.
LinkEffects linkEffects(const Robot& robot,
                        const Eigen::VectorXd& q,
                        const Eigen::VectorXd& dq,
                        const Eigen::VectorXd& ddq);

Formulation newtonEulerLagrangeFormulation();

}  // namespace dynid
