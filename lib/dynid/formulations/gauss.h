#pragma once

#include "dynid/formulations/formulation.h"

namespace dynid {

/// Four equal particles (m/4 each) that move as the rigid body does: same mass, centre of mass and
/// inertia. Their places are the columns [m], in the body's frame. A possible body has them (the
/// pseudo-inertia is P = sum m/4 (r, 1)(r, 1)^T).
/// @throws std::invalid_argument if the pseudo-inertia is not positive definite.
Eigen::Matrix<double, 3, 4> equimomentalParticles(const Eigen::Matrix<double, 10, 1>& pi);

/// Gauss' principle of least constraint: of all accelerations that obey A ddq = b, the true ones
/// make
///
///     Z = sum_i m_i |r''_i - g|^2 / 2 - tau.ddq
///
/// smallest; the sum runs over particles, four for each body (the constant terms of
/// sum m |r'' - F/m|^2 are dropped). Solved as least squares over the particles (QR), without the
/// mass matrix.
///
/// @param A, b  constraint; no rows: none. Dependent rows are allowed if they do not contradict.
/// @returns ddq [joints]
/// @throws std::invalid_argument for an impossible body.
///
/// Source: "Other methods for derivation of systems dynamics"; Massa and Vignolo, eq. 12.
Eigen::VectorXd gaussAccelerations(const Robot& robot,
                                   const Eigen::VectorXd& pi,
                                   const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& dq,
                                   const Eigen::VectorXd& tau,
                                   const Eigen::MatrixXd& A,
                                   const Eigen::VectorXd& b);

Formulation gaussFormulation();

}  // namespace dynid
