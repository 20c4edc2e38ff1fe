#pragma once

#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/kinematics.h"

#include <vector>

namespace dynid {

/// Scratch of inverseDynamics, one per thread; sized at the first use, no allocation afterwards.
template <typename T>
struct NewtonEulerScratch {
  std::vector<BodyMotion<T>> motions;
  std::vector<Vector3<T>> force;   ///< per body: on it and all it carries, own axes [N]
  std::vector<Vector3<T>> moment;  ///< about its origin [N m]
  ClosedPosition closed;           ///< of a robot with loops: followed from call to call
};

/// Inverse dynamics of the rigid bodies by the Newton-Euler recursion, joint side, in O(bodies):
///
///     outward  forwardKinematics (w, wd, proper acceleration a)
///     inward   f = m a + wd x h + w x (w x h)              + sum over children R f_C
///              n = I wd + w x I w + h x a                  + sum over children R n_C + p x R f_C
///              tau_j += multiplier * axis . n              (prismatic: axis . f)
///
/// Shares the outward recursion, and nothing else, with the projection regressor, whose witness it
/// is: Y pi = tau. A mimicking body adds its share to its master's effort;
/// with loops tau = N^T tau_tree.
///
/// @param pi       [10 bodies] inertial parameters (m, h, I about the origin; body by body)
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
/// @param tau      result [joints] N m or N: effort the joints must exert; gravity is the robot's
/// @throws std::invalid_argument on a wrong size; InputError where a loop does not close.
///
/// Source: De Luca, "Dynamic model of robots: Newton-Euler approach"; Luh, Walker, Paul 1980.
template <typename T>
void inverseDynamics(const Robot& robot,
                     const VectorX<T>& pi,
                     const VectorX<T>& q,
                     const VectorX<T>& dq,
                     const VectorX<T>& ddq,
                     NewtonEulerScratch<T>& scratch,
                     VectorX<T>& tau);

extern template void inverseDynamics(const Robot&,
                                     const VectorX<double>&,
                                     const VectorX<double>&,
                                     const VectorX<double>&,
                                     const VectorX<double>&,
                                     NewtonEulerScratch<double>&,
                                     VectorX<double>&);

/// The same with its own scratch.
Eigen::VectorXd inverseDynamics(const Robot& robot,
                                const Eigen::VectorXd& pi,
                                const Eigen::VectorXd& q,
                                const Eigen::VectorXd& dq,
                                const Eigen::VectorXd& ddq);

}  // namespace dynid
