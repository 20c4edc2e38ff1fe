#pragma once

#include "dynid/dynamics/kinematics.h"
#include "dynid/math/dual.h"

namespace dynid {

/// Acceleration energy of a body, S = accelerationEnergyRow(w, wd, a) . pi, about the origin of its
/// frame, without the terms that hold no acceleration:
///
///     S = 1/2 m a.a + a.(wd x h + w x (w x h)) + 1/2 wd.I wd + wd.(w x I w)
///
/// @param a  proper acceleration of the origin (gravity as an acceleration of the base)
///
/// Source: "Other methods for derivation of systems dynamics" (centre of mass), completed for the
/// frame's origin.
template <typename T>
Vector10<T> accelerationEnergyRow(const Vector3<T>& w, const Vector3<T>& wd, const Vector3<T>& a);

/// Of all bodies [1 x 10 bodies].
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
