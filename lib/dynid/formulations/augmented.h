#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// Augmented (Lagrange multipliers): one linear system for accelerations and multipliers together,
///
///     [M A^T; A 0][ddq; -lambda] = [tau - bias; b]
///
/// by Gaussian elimination with complete pivoting; dependent constraints are taken out first.
/// Not solved: contradictory constraints, a singular mass matrix.
///
/// Source: "Other methods for derivation of systems dynamics", constrained dynamics; "Equations of
/// Motion with the Lagrange Method", extended mass matrix.
ConstrainedMotion augmented(const ConstrainedSystem& system);

Formulation augmentedFormulation();

}  // namespace dynid
