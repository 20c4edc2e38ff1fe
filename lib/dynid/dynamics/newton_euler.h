#pragma once

#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/kinematics.h"

#include <vector>

namespace dynid {

/// Working memory of inverseDynamics, one per thread. It is allocated at the first call only.
template <typename T>
struct NewtonEulerScratch {
  std::vector<BodyMotion<T>> motions;
  /// Per body: force on it and on all bodies that it carries, in its own axes [N].
  std::vector<Vector3<T>> force;
  /// Per body: moment about its origin, in its own axes [N m].
  std::vector<Vector3<T>> moment;
  /// Robots with loops: closed position of the last call, the start value of the next one.
  ClosedPosition closed;
};

/// Inverse dynamics of the rigid bodies on the joint side by the Newton-Euler recursion, in
/// O(bodies):
///
///     outward  forwardKinematics (w, wd, proper acceleration a)
///     inward   f = m a + wd x h + w x (w x h)              + sum over children R f_C
///              n = I wd + w x I w + h x a                  + sum over children R n_C + p x R f_C
///              tau_j += multiplier * axis . n              (prismatic: axis . f)
///
/// It shares only the outward recursion with the projection regressor and therefore serves as an
/// independent check of it: Y pi = tau. The effort of a body on a mimic joint is added, times the
/// multiplier, to the effort of the joint that it mimics. With loops, tau = N^T tau_tree.
///
/// @param pi       [10 bodies] inertial parameters (m, h, I about the body's origin), body by body
/// @param q, dq, ddq  [joints] rad or m, per s, per s^2
/// @param tau      result [joints] N m or N: effort that the joints must exert under the robot's
///     gravity
/// @throws std::invalid_argument for a wrong size; InputError if a loop does not close
///
/// Source: Luh, Walker, Paul, J. Dyn. Syst. Meas. Control 102(2), 1980.
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

}  // namespace dynid
