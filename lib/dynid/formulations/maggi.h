#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// The blocks of [Q N] = [A; C]^-1. dq = N u obeys A dq = 0 for every u, and every dq that obeys it
/// has this form. Regressor rows of a closed loop from those of its cut-open tree: N^T Y pi = N^T
/// tau.
struct MaggiProjector {
  Eigen::MatrixXd Q;             ///< [joints x constraints], A Q = 1
  Eigen::MatrixXd N;             ///< [joints x free], A N = 0
  std::vector<int> free_joints;  ///< the joints whose rates are u
};
/// @param A  [constraints x joints], independent rows (independentConstraints); may have no rows
/// @param joints  number of columns of A
MaggiProjector maggiProjector(const Eigen::MatrixXd& A, Eigen::Index joints);

/// Maggi's equations in quasi-velocities z = [A; C] dq. The constraint fixes the first of them, the
/// others (u) are free. With [Q N] = [A; C]^-1, A N = 0 and
///
///     ddq = Q b + N du/dt,   N^T (M ddq + bias - tau) = 0
///
/// C is arbitrary as long as [A; C] is invertible. Here its rows select the joints that the
/// constraint determines least, so that u are joint rates. Not solved for contradictory constraints
/// and for a mass matrix that is not positive definite.
///
/// Source: Papastavridis, "Analytical mechanics", 2002, Maggi's equations.
ConstrainedMotion maggi(const ConstrainedSystem& system);

Formulation maggiFormulation();

}  // namespace dynid
