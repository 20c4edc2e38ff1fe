#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// [Q N] = [A; C]^-1: dq = N u obeys A dq = 0 for every u, and every dq that obeys it is one of
/// these. Closed-loop identification from the regressor of the cut-open tree:
/// N^T Y pi = N^T tau.
struct MaggiProjector {
  Eigen::MatrixXd Q;             ///< [joints x constraints], A Q = 1
  Eigen::MatrixXd N;             ///< [joints x free], A N = 0
  std::vector<int> free_joints;  ///< the joints whose rates are u
};
/// @param A  [constraints x joints], independent rows (independentConstraints); may have none
/// @param joints  columns of A
MaggiProjector maggiProjector(const Eigen::MatrixXd& A, Eigen::Index joints);

/// Maggi: quasi-velocities z = [A; C] dq, the first of which the constraint fixes and the last of
/// which are free; with [Q N] = [A; C]^-1 is A N = 0 and
///
///     ddq = Q b + N du/dt,   N^T (M ddq + bias - tau) = 0
///
/// The choice of C is free as long as [A; C] can be inverted; here its rows are the joints that the
/// constraint determines least, so that the quasi-velocities u are joint rates.
/// Not solved: contradictory constraints, a mass matrix that is not positive definite.
///
/// Source: "Other methods for derivation of systems dynamics", Maggi equations.
ConstrainedMotion maggi(const ConstrainedSystem& system);

Formulation maggiFormulation();

}  // namespace dynid
