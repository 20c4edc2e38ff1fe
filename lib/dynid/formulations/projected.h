#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// Projected formulation (null space): the equations are projected onto the motions that the
/// constraints leave free, with orthonormal N and A N = 0,
///
///     ddq = A^+ b + N y,   N^T M N y = N^T (tau - bias - M A^+ b)
///
/// Dependent constraints need no special treatment: N and A^+ come from a singular value
/// decomposition. Their multipliers are not unique; the vector of least norm is returned. Not
/// solved for contradictory constraints and for a mass matrix that is not positive definite.
///
/// Source: Garcia de Jalon and Bayo, "Kinematic and dynamic simulation of multibody systems", 1994.
ConstrainedMotion projected(const ConstrainedSystem& system);

Formulation projectedFormulation();

}  // namespace dynid
