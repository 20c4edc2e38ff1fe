#pragma once

#include "dynid/formulations/formulation.h"

#include <vector>

namespace dynid {

/// Routh's equations: momenta for the chosen joints (s), velocities for the others (r),
///
///     R(q, p_s, dq_r) = p_s.dq_s - L
///     dq_s = dR/dp_s,   dp_s/dt = -dR/dq_s + tau_s
///     d/dt (dR/d dq_r) - dR/dq_r = -tau_r            (this sign of R; others take the negative)
///
/// with dq_s = M_ss^-1 (p_s - M_sr dq_r), dR/dq = -dL/dq, dR/d dq_r = -(C p_s + S dq_r),
/// C = M_rs M_ss^-1, S = M_rr - C M_sr. All joints chosen: Hamilton's equations; none: Lagrange's.
///
/// @param momentum  [joints] true for s
/// @returns ddq [joints]
/// @throws std::invalid_argument on a wrong size.
///
/// Source: "Other methods for derivation of systems dynamics", Routhian mechanics.
Eigen::VectorXd routhAccelerations(const Robot& robot,
                                   const Eigen::VectorXd& pi,
                                   const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& dq,
                                   const Eigen::VectorXd& tau,
                                   const std::vector<bool>& momentum);

/// Momenta for the first joint, for every second, for all but the last.
Formulation routhFirstFormulation();
Formulation routhAlternateFormulation();
Formulation routhButLastFormulation();

}  // namespace dynid
