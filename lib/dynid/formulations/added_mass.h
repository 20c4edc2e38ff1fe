#pragma once

#include <Eigen/Core>

namespace dynid {

/// Number of entries of a symmetric 6x6 matrix.
inline constexpr int kAddedMassParameters = 21;

/// Kirchhoff's equations of a body whose kinetic energy is any quadratic form T = 1/2 z.M z of its
/// twist z = (v, w) in body axes. An example is a rigid body in an ideal fluid at rest, where M is
/// its inertia plus the added mass. With (Q, G) = M z
///
///     f = dQ/dt + w x Q,   n = dG/dt + w x G + v x Q
///
/// The equations are linear in the 21 entries of the lower triangle of M, column by column (00 10
/// 20 ... 50 11 21 ...).
///
/// @param z   twist (v, w) in body axes, v of the frame's origin [m/s, rad/s]
/// @param dz  time derivative of its components
/// @returns rows [6 x 21] of the wrench (f, n) about the frame's origin that the motion requires,
///     without weight and buoyancy
///
/// Source: Massa and Vignolo, Meccanica 51, 2016, Kirchhoff equations; Milne-Thomson, "Theoretical
/// Hydrodynamics", 1968, added mass.
Eigen::Matrix<double, 6, kAddedMassParameters> addedMassRows(const Eigen::Matrix<double, 6, 1>& z,
                                                             const Eigen::Matrix<double, 6, 1>& dz);

/// The 21 parameters of a symmetric 6x6 matrix, and the matrix from the parameters.
Eigen::Matrix<double, kAddedMassParameters, 1> addedMassParameters(
    const Eigen::Matrix<double, 6, 6>& M);
Eigen::Matrix<double, 6, 6> addedMassMatrix(
    const Eigen::Matrix<double, kAddedMassParameters, 1>& parameters);

}  // namespace dynid
