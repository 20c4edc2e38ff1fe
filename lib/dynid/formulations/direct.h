#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// Direct (range space): multipliers first, from the mass that the constraints feel,
///
///     a = M^-1 (tau - bias),   (A M^-1 A^T) lambda = b - A a,   ddq = a + M^-1 A^T lambda
///
/// by two Cholesky factors; dependent constraints are taken out first.
/// Not solved: contradictory constraints, a mass matrix that is not positive definite.
///
/// Source: "Other methods for derivation of systems dynamics", constrained dynamics.
ConstrainedMotion direct(const ConstrainedSystem& system);

Formulation directFormulation();

}  // namespace dynid
