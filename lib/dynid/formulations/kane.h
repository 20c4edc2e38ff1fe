#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Kane's equations for generalized speeds u with dq = N u, about the centres of mass, in the root
/// link's axes:
///
///     sum_k m (a_k - g) . dv_k/du_r + (I_k alpha_k + w_k x I_k w_k) . dw_k/du_r = F_r
///
/// a_k and v_k belong to the centre of mass. The partial velocities follow from the axes z_j of the
/// joints that move the body and the positions p_j of the joints: dv/ddq_j = z_j x (r - p_j) and
/// dw/ddq_j = z_j (prismatic joint: z_j and 0), and dv/du = dv/ddq N.
///
/// Centres of mass are not linear in the ten parameters, but the equations are. They are therefore
/// evaluated for ten trial bodies of known mass, centre of mass and inertia, which span the
/// parameter space, and transformed to the ten parameters.
///
/// For a nonholonomic constraint, the columns of N span the kernel of the constraint and F_r = N^T
/// tau. With loops, N is multiplied by the projector of the loops.
///
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
/// @param N  [joints x speeds]; identity: the speeds are dq
/// @returns [speeds x 10 bodies]
///
/// Source: Kane and Levinson, "Dynamics: theory and applications", 1985.
Eigen::MatrixXd kaneRegressor(const Robot& robot,
                              const Eigen::VectorXd& q,
                              const Eigen::VectorXd& dq,
                              const Eigen::VectorXd& ddq,
                              const Eigen::MatrixXd& N);

Formulation kaneFormulation();

}  // namespace dynid
