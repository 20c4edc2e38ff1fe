#pragma once

#include "dynid/spatial/vectors.h"

namespace dynid {

template <typename T>
using BodyRegressor = Eigen::Matrix<T, 6, 10>;

/// Regressor A of one rigid body: wrench = A pi, exact and linear in the inertial parameters pi.
///
///     A = [ a   [wd]x + [w]x[w]x       0          ]     f  [N]
///         [ 0       -[a]x       L(wd) + [w]x L(w) ]     n  [N m]
///
/// The wrench (f, n) that moves the body, and all arguments, are expressed in, and f, n taken about
/// the origin of, the body frame B; pi = (m, m c, Ixx, Ixy, Ixz, Iyy, Iyz, Izz) about Bo [kg, kg m,
/// kg m^2].
///
/// @param w   angular velocity of B in the world [rad/s]
/// @param wd  its time derivative [rad/s^2]
/// @param a   proper acceleration of Bo: dv/dt + w x v - g [m/s^2] (at rest: -g)
/// @returns A, 6 x 10; every entry finite if the arguments are.
///
/// Source: projection method ("Other methods for derivation of systems dynamics", body equation);
/// L(w) vec6(I) = I w.
template <typename T>
BodyRegressor<T> bodyRegressor(const Vector3<T>& w, const Vector3<T>& wd, const Vector3<T>& a);

extern template BodyRegressor<double> bodyRegressor(const Vector3<double>&,
                                                    const Vector3<double>&,
                                                    const Vector3<double>&);

}  // namespace dynid
