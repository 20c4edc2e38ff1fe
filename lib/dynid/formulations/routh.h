#pragma once

#include "dynid/formulations/formulation.h"

#include <vector>

namespace dynid {

/// Accelerations from Routh's equations, with momenta for the chosen joints (s) and velocities for
/// the others (r):
///
///     R(q, p_s, dq_r) = p_s.dq_s - L
///     dq_s = dR/dp_s,   dp_s/dt = -dR/dq_s + tau_s
///     d/dt (dR/d dq_r) - dR/dq_r = -tau_r            (some texts use the opposite sign of R)
///
/// with dq_s = M_ss^-1 (p_s - M_sr dq_r), dR/dq = -dL/dq, dR/d dq_r = -(C p_s + S dq_r), C = M_rs
/// M_ss^-1, S = M_rr - C M_sr. With all joints chosen these are Hamilton's equations, with none
/// Lagrange's.
///
/// @param momentum  [joints] true for the joints s
/// @returns ddq [joints]
/// @throws std::invalid_argument for a wrong size
///
/// Source: Goldstein, "Classical mechanics", Routh's procedure.
Eigen::VectorXd routhAccelerations(const Robot& robot,
                                   const Eigen::VectorXd& pi,
                                   const Eigen::VectorXd& q,
                                   const Eigen::VectorXd& dq,
                                   const Eigen::VectorXd& tau,
                                   const std::vector<bool>& momentum);

/// Momenta for the first joint, for every second joint, and for all joints but the last.
Formulation routhFirstFormulation();
Formulation routhAlternateFormulation();
Formulation routhButLastFormulation();

}  // namespace dynid
