#pragma once

#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <string>

namespace dynid {

/// The next position of a variational integrator, or the reason why it was not found.
struct VariationalStep {
  bool solved = false;
  std::string reason;
  Eigen::VectorXd q;  ///< [joints]; NaN if not solved
};

/// One step of the integrator defined by Hamilton's principle with the midpoint rule: q2 is the
/// solution of
///
///     D2 L_d(q0, q1) + D1 L_d(q1, q2) + h tau(t1) = 0
///
/// (see discreteEulerLagrangeRows). It is of second order and symplectic: the energy of a
/// conservative motion oscillates by O(h^2) and does not drift. The equation is solved by Newton's
/// iteration with the mass matrix as approximate Jacobian. Not solved if the iteration does not
/// converge (the step is too long for the motion) or if the mass matrix is not positive definite.
///
/// @param pi      [10 bodies]
/// @param q0, q1  positions at t1 - h and t1 [rad or m]
/// @param tau     [joints] efforts at t1, without friction
/// @param h       [s] step
///
/// Source: Marsden and West, "Discrete mechanics and variational integrators", Acta Numerica 2001.
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
