#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// Direct formulation (range space): multipliers first, by the effective mass of the constraints,
///
///     a = M^-1 (tau - bias),   (A M^-1 A^T) lambda = b - A a,   ddq = a + M^-1 A^T lambda
///
/// with two Cholesky factors. Dependent constraints are removed first. Not solved for contradictory
/// constraints and for a mass matrix that is not positive definite.
///
/// Source: Garcia de Jalon and Bayo, "Kinematic and dynamic simulation of multibody systems", 1994.
ConstrainedMotion direct(const ConstrainedSystem& system);

Formulation directFormulation();

}  // namespace dynid
