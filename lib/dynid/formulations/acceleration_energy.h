#pragma once

#include "dynid/dynamics/kinematics.h"
#include "dynid/math/dual.h"

namespace dynid {

/// Acceleration energy (Gibbs function) of a body, S = accelerationEnergyRow(w, wd, a) . pi, about
/// the origin of its frame. Terms without an acceleration are left out, because they vanish in dS/d
/// ddq:
///
///     S = 1/2 m a.a + a.(wd x h + w x (w x h)) + 1/2 wd.I wd + wd.(w x I w)
///
/// @param w, wd  angular velocity and its derivative, body axes [rad/s, rad/s^2]
/// @param a  proper acceleration of the origin (gravity as an acceleration of the base) [m/s^2]
///
/// Source: Papastavridis, "Analytical mechanics", 2002, Appell's equations; there about the centre
/// of mass, here about the frame's origin.
template <typename T>
Vector10<T> accelerationEnergyRow(const Vector3<T>& w, const Vector3<T>& wd, const Vector3<T>& a);

/// The rows of all bodies side by side, [1 x 10 bodies].
template <typename T>
Eigen::Matrix<T, 1, Eigen::Dynamic> accelerationEnergyRows(const Robot& robot,
                                                           const VectorX<T>& q,
                                                           const VectorX<T>& dq,
                                                           const VectorX<T>& ddq);

extern template Eigen::Matrix<Dual1, 1, Eigen::Dynamic> accelerationEnergyRows(
    const Robot&, const VectorX<Dual1>&, const VectorX<Dual1>&, const VectorX<Dual1>&);
extern template Eigen::Matrix<Dual2, 1, Eigen::Dynamic> accelerationEnergyRows(
    const Robot&, const VectorX<Dual2>&, const VectorX<Dual2>&, const VectorX<Dual2>&);

}  // namespace dynid
