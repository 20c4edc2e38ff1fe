#pragma once

#include "dynid/formulations/constraints.h"
#include "dynid/formulations/formulation.h"

namespace dynid {

/// Udwadia and Kalaba: the explicit equation of constrained motion,
///
///     ddq = a + M^(-1/2) (A M^(-1/2))^+ (b - A a),   a = M^-1 (tau - bias)
///
/// with the pseudo-inverse; dependent constraints are as good as any. A^T lambda =
/// M^(1/2) (A M^(-1/2))^+ (b - A a), lambda the shortest.
/// Not solved: contradictory constraints, a mass matrix that is not positive definite.
///
/// Source: Udwadia and Kalaba 1992 ("Other methods for derivation of systems dynamics" names it).
ConstrainedMotion udwadiaKalaba(const ConstrainedSystem& system);

Formulation udwadiaKalabaFormulation();

}  // namespace dynid
