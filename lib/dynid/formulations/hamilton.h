#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Generalized momenta p = dK/d dq, linear in the parameters. [joints x 10 bodies]
Eigen::MatrixXd momentumRows(const Robot& robot,
                             const Eigen::VectorXd& q,
                             const Eigen::VectorXd& dq);

/// dL/dq = dK/dq - dV/dq, what the momenta change by without any effort. [joints x 10 bodies]
///
/// Momentum identification over a window, without accelerations:
/// (momentumRows(t1) - momentumRows(t0) - int lagrangianGradientRows dt) pi = int tau dt.
Eigen::MatrixXd lagrangianGradientRows(const Robot& robot,
                                       const Eigen::VectorXd& q,
                                       const Eigen::VectorXd& dq);

/// The mass matrix and its rate along a motion.
struct MassMatrixRate {
  Eigen::MatrixXd M;   ///< [joints x joints]
  Eigen::MatrixXd dM;  ///< dM/dt = sum_i dM/dq_i dq_i
};
/// Column j of M is the momentum at unit rate of joint j; momenta run inward along the tree as the
/// wrenches of the Newton-Euler recursion do, differentiated automatically along the motion.
MassMatrixRate massMatrixAlong(const Robot& robot,
                               const Eigen::VectorXd& pi,
                               const Eigen::VectorXd& q,
                               const Eigen::VectorXd& dq);

/// Hamilton's canonical equations, from positions and momenta:
///
///     H(q, p) = 1/2 p.M^-1 p + V,    dq/dt = dH/dp = M^-1 p,
///     dp/dt = tau - dH/dq = tau + dK/dq - dV/dq   (the gradients at dq = M^-1 p)
///
/// and with them the accelerations ddq = M^-1 (dp/dt - dM/dt dq).
/// @param pi  [10 bodies] of possible bodies (M has to be invertible)
///
/// Source: "Other methods for derivation of systems dynamics", Hamilton equations.
Eigen::VectorXd hamiltonAccelerations(const Robot& robot,
                                      const Eigen::VectorXd& pi,
                                      const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& p,
                                      const Eigen::VectorXd& tau);

Formulation hamiltonFormulation();
/// The momentum balance over a window, by quadrature.
Formulation momentumWindowFormulation();

}  // namespace dynid
