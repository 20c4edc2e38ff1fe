#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// Augmented formulation (Lagrange multipliers): one linear system for accelerations and
/// multipliers together,
///
///     [M A^T; A 0][ddq; -lambda] = [tau - bias; b]
///
/// solved by Gaussian elimination with complete pivoting. Dependent constraints are removed first.
/// Not solved for contradictory constraints and for a singular mass matrix.
///
/// Source: Garcia de Jalon and Bayo, "Kinematic and dynamic simulation of multibody systems", 1994.
ConstrainedMotion augmented(const ConstrainedSystem& system);

Formulation augmentedFormulation();

}  // namespace dynid
