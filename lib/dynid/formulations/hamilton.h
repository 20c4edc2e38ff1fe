#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Generalized momenta p = dK/d dq, linear in the parameters: p = momentumRows pi. [joints x 10
/// bodies]
Eigen::MatrixXd momentumRows(const Robot& robot,
                             const Eigen::VectorXd& q,
                             const Eigen::VectorXd& dq);

/// Gradient of the Lagrangian, dL/dq = dK/dq - dV/dq, which is the rate of the momenta without any
/// effort. [joints x 10 bodies]
///
/// It gives momentum equations over a window [t0, t1] that do not need accelerations:
/// (momentumRows(t1) - momentumRows(t0) - int lagrangianGradientRows dt) pi = int tau dt.
Eigen::MatrixXd lagrangianGradientRows(const Robot& robot,
                                       const Eigen::VectorXd& q,
                                       const Eigen::VectorXd& dq);

/// The mass matrix and its time derivative along a motion.
struct MassMatrixRate {
  Eigen::MatrixXd M;   ///< [joints x joints]
  Eigen::MatrixXd dM;  ///< dM/dt = sum_i dM/dq_i dq_i
};
/// Column j of M is the generalized momentum for unit rate of joint j. Momenta are propagated
/// inward along the tree like the wrenches of the Newton-Euler recursion, and differentiated
/// automatically along the motion.
MassMatrixRate massMatrixAlong(const Robot& robot,
                               const Eigen::VectorXd& pi,
                               const Eigen::VectorXd& q,
                               const Eigen::VectorXd& dq);

/// Accelerations from Hamilton's canonical equations in positions and momenta:
///
///     H(q, p) = 1/2 p.M^-1 p + V,    dq/dt = dH/dp = M^-1 p,
///     dp/dt = tau - dH/dq = tau + dK/dq - dV/dq   (the gradients at dq = M^-1 p)
///     ddq = M^-1 (dp/dt - dM/dt dq)
///
/// @param pi  [10 bodies] of physically possible bodies (M must be invertible)
/// @param p   [joints] generalized momenta
///
/// Source: Goldstein, "Classical mechanics", Hamilton equations of motion.
Eigen::VectorXd hamiltonAccelerations(const Robot& robot,
                                      const Eigen::VectorXd& pi,
                                      const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& p,
                                      const Eigen::VectorXd& tau);

Formulation hamiltonFormulation();
/// The momentum balance over a time window, by numerical quadrature.
Formulation momentumWindowFormulation();

}  // namespace dynid
