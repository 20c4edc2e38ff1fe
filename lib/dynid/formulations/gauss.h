#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Four equal particles of mass m/4 with the same mass, centre of mass and inertia as the rigid
/// body. Their positions in the body's frame are the columns [m]. They exist for every physically
/// possible body, since its pseudo-inertia is P = sum m/4 (r, 1)(r, 1)^T.
/// @throws std::invalid_argument if the pseudo-inertia is not positive definite
Eigen::Matrix<double, 3, 4> equimomentalParticles(const Eigen::Matrix<double, 10, 1>& pi);

/// Gauss' principle of least constraint: among all accelerations that obey A ddq = b, the actual
/// ones minimise
///
///     Z = sum_i m_i |r''_i - g|^2 / 2 - tau.ddq
///
/// The sum is over particles, four per body; constant terms of sum m |r'' - F/m|^2 / 2 are left
/// out. The problem is solved as linear least squares over the particles (QR), without the mass
/// matrix.
///
/// @param pi    [10 bodies]
/// @param A, b  constraints; A without rows: none. Dependent rows are allowed if they do not
///     contradict each other.
/// @returns ddq [joints]
/// @throws std::invalid_argument for a physically impossible body
///
/// Source: Papastavridis, "Analytical mechanics", 2002, Gauss' principle; Massa and Vignolo,
/// Meccanica 51, 2016, eq. 12.
Eigen::VectorXd gaussAccelerations(const Robot& robot,
                                   const Eigen::VectorXd& pi,
                                   const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& dq,
                                   const Eigen::VectorXd& tau,
                                   const Eigen::MatrixXd& A,
                                   const Eigen::VectorXd& b);

Formulation gaussFormulation();

}  // namespace dynid
