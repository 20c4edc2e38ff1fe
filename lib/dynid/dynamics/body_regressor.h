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
/// The wrench (f, n) is the one required for the motion, with n about the origin Bo of the body
/// frame B. It and all arguments are expressed in B. pi = (m, m c, Ixx, Ixy, Ixz, Iyy, Iyz, Izz)
/// about Bo [kg, kg m, kg m^2]. L(w) is defined by L(w) vec6(I) = I w.
///
/// @param w   angular velocity of B in the world [rad/s]
/// @param wd  its time derivative [rad/s^2]
/// @param a   proper acceleration of Bo: dv/dt + w x v - g [m/s^2] (at rest: -g)
/// @returns A, 6 x 10; every entry is finite if the arguments are.
///
/// The rows are the Newton-Euler equations of one body, collected by parameter (h = m c):
///
///     f = m a + wd x h + w x (w x h),   n = I wd + w x I w + h x a
template <typename T>
BodyRegressor<T> bodyRegressor(const Vector3<T>& w, const Vector3<T>& wd, const Vector3<T>& a);

extern template BodyRegressor<double> bodyRegressor(const Vector3<double>&,
                                                    const Vector3<double>&,
                                                    const Vector3<double>&);

}  // namespace dynid
