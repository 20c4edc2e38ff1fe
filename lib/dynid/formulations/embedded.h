#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// Constraint embedding (coordinate partitioning): as many coordinates as constraints are
/// eliminated, namely those that the constraints determine best (column pivoting),
///
///     A_d ddq_d + A_i ddq_i = b,   ddq = E ddq_i + e,   E^T M E ddq_i = E^T (tau - bias - M e)
///
/// The multipliers follow from the rows of the eliminated coordinates. Not solved for contradictory
/// constraints and for a mass matrix that is not positive definite.
///
/// Source: Garcia de Jalon and Bayo, "Kinematic and dynamic simulation of multibody systems", 1994.
ConstrainedMotion embedded(const ConstrainedSystem& system);

Formulation embeddedFormulation();

}  // namespace dynid
