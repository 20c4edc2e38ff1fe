#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// Projected (null space): the equations are projected onto the motions that the constraint leaves
/// free, N orthonormal with A N = 0,
///
///     ddq = A^+ b + N y,   N^T M N y = N^T (tau - bias - M A^+ b)
///
/// Dependent constraints need no care: N and A^+ come from a rank-revealing orthogonal
/// decomposition. Of their multipliers the shortest vector is given.
/// Not solved: contradictory constraints, a mass matrix that is not positive definite.
///
/// Source: "Other methods for derivation of systems dynamics", constrained dynamics.
ConstrainedMotion projected(const ConstrainedSystem& system);

Formulation projectedFormulation();

}  // namespace dynid
