#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// Constraint embedding: as many coordinates as there are constraints are eliminated, those that
/// the constraint determines best (column pivoting),
///
///     A_d ddq_d + A_i ddq_i = b,   ddq = E ddq_i + e,   E^T M E ddq_i = E^T (tau - bias - M e)
///
/// The multipliers follow from the rows of the eliminated coordinates.
/// Not solved: contradictory constraints, a mass matrix that is not positive definite.
///
/// Source: "Other methods for derivation of systems dynamics", constrained dynamics.
ConstrainedMotion embedded(const ConstrainedSystem& system);

Formulation embeddedFormulation();

}  // namespace dynid
