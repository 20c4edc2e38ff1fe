#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Kane's equations for generalized speeds u, dq = N u, about the centres of mass, in the root
/// link's axes:
///
///     sum_k m (a_k - g) . dv_k/du_r + (I_k alpha_k + w_k x I_k w_k) . dw_k/du_r = F_r
///
/// a_k, v_k of the centre of mass; the partial velocities follow from the axes z_j of the joints
/// that carry the body and the arms from them, dv/ddq_j = z_j x (r - p_j), dw/ddq_j = z_j (a slide:
/// z_j and 0), and dv/du = dv/ddq N. Centres of mass are not linear in the ten parameters, the
/// equations are: they are written for ten trial bodies of known mass, centre and inertia, which
/// span the parameters, and taken back to them.
///
/// N needs no integral: with the speeds that a nonholonomic constraint leaves free it is the kernel
/// of the constraint, and F_r = N^T tau. Loops multiply their own projector onto it.
///
/// @param N  [joints x speeds]; identity: the speeds are dq
/// @returns [speeds x 10 bodies]
///
/// Source: "Other methods for derivation of systems dynamics", Kane's equations.
Eigen::MatrixXd kaneRegressor(const Robot& robot,
                              const Eigen::VectorXd& q,
                              const Eigen::VectorXd& dq,
                              const Eigen::VectorXd& ddq,
                              const Eigen::MatrixXd& N);

Formulation kaneFormulation();

}  // namespace dynid
