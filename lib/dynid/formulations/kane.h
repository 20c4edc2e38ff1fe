#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Kane's equations for generalized speeds u, dq = N u:
///
///     sum_k F_k . dv_k/du_r + T_k . dw_k/du_r = F_r,
///     F = m a + wd x h + w x (w x h),   T = I wd + w x I w + h x a
///
/// about the origin of each body's frame (m a and I alpha + w x I w where that is the centre of
/// mass). The partial velocities are what v and w become for one unit speed and all others zero.
/// N needs no integral: with the speeds that a nonholonomic constraint leaves free it is the kernel
/// of the constraint, and F_r = N^T tau.
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
