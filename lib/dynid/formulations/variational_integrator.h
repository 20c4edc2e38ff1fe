#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// The next position of a variational integrator, or why there is none.
struct VariationalStep {
  bool solved = false;
  std::string reason;
  Eigen::VectorXd q;  ///< [joints]; NaN where not solved
};

/// One step of the integrator that Hamilton's principle with the midpoint rule defines: q2 from
///
///     D2 L_d(q0, q1) + D1 L_d(q1, q2) + h tau(t1) = 0
///
/// (discreteEulerLagrangeRows). Second order; symplectic: the energy of a conservative motion
/// oscillates by O(h^2) and does not drift. Newton's iteration with the mass matrix in place of the
/// Jacobian; not solved where it does not converge (the step is too long for the motion) or the
/// mass matrix is not positive definite.
///
/// @param pi      [10 bodies]
/// @param q0, q1  positions at t1 - h and t1
/// @param tau     efforts at t1, of the rigid bodies
///
/// Source: Marsden and West 2001.
VariationalStep variationalStep(const Robot& robot,
                                const Eigen::VectorXd& pi,
                                const Eigen::VectorXd& q0,
                                const Eigen::VectorXd& q1,
                                const Eigen::VectorXd& tau,
                                double h);

/// The first step, from a position and a velocity: M dq + D1 L_d(q0, q1) + h/2 tau(t0) = 0.
VariationalStep variationalStart(const Robot& robot,
                                 const Eigen::VectorXd& pi,
                                 const Eigen::VectorXd& q0,
                                 const Eigen::VectorXd& dq0,
                                 const Eigen::VectorXd& tau,
                                 double h);

}  // namespace dynid
