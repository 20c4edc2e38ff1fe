#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// The explicit equation of constrained motion of Udwadia and Kalaba,
///
///     ddq = a + M^(-1/2) (A M^(-1/2))^+ (b - A a),   a = M^-1 (tau - bias)
///
/// with the pseudo-inverse, so that dependent constraints need no special treatment. A^T lambda =
/// M^(1/2) (A M^(-1/2))^+ (b - A a), and lambda has least norm. Not solved for contradictory
/// constraints and for a mass matrix that is not positive definite.
///
/// Source: Udwadia and Kalaba, "A new perspective on constrained motion", 1992.
ConstrainedMotion udwadiaKalaba(const ConstrainedSystem& system);

Formulation udwadiaKalabaFormulation();

}  // namespace dynid
