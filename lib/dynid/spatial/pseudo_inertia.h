#pragma once

#include "dynid/spatial/inertia.h"

#include <Eigen/Core>

namespace dynid {

/// The pseudo-inertia of a body [kg, kg m, kg m^2]: the second moment of its mass in homogeneous
/// coordinates about Bo,
///
///     P = int (r; 1)(r; 1)^T dm = [ tr(I)/2 1 - I   h ]
///                                 [       h^T       m ]
///
/// A parameter vector belongs to a physically possible body if and only if P >= 0 (positive
/// semidefinite). Source: Wensing, Kim, Slotine, IEEE RA-L 3(1), 2018, eq. 12.
Eigen::Matrix4d pseudoInertia(const InertialParameters& pi);

/// The ten parameters from P, the inverse of pseudoInertia.
InertialParameters inertialFromPseudo(const Eigen::Matrix4d& P);

/// svec: the ten entries of a symmetric 4x4 matrix, with off-diagonal entries times sqrt(2), so
/// that svec(A).svec(B) = tr(A B). Order (column by column of the lower triangle): 00 10 20 30 11
/// 21 31 22 32 33. smat is its inverse.
Vector10<double> svec(const Eigen::Matrix4d& Q);
Eigen::Matrix4d smat(const Vector10<double>& q);

/// Smallest eigenvalue of P; if it is negative, no body has these parameters.
double smallestPseudoEigenvalue(const InertialParameters& pi);

}  // namespace dynid
