#pragma once

#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

#include <cstdint>

namespace dynid {

/// dM/dt - 2 S is skew symmetric, S the Christoffel factorisation of the velocity coupling, and
/// S dq + g is what the inverse dynamics gives: the structure that passivity-based controllers and
/// observers build on. Value: the larger of both errors over `samples` states, relative
/// (skewSymmetry). Drive inertias are constant and have no part in it.
Check checkSkewSymmetry(const Model& model, int samples = 32, std::uint64_t seed = 1);

/// dE/dt = dq.tau for the links and drives of the model (friction apart): its energies and its
/// efforts belong together. Value: the largest imbalance over `samples` states, relative to
/// sum |dq_j tau_j|.
Check checkPowerBalance(const Model& model, int samples = 256, std::uint64_t seed = 1);

/// Friction takes energy at every speed: tau_friction v >= 0 for each actuator (and joint, where
/// friction sits there) up to its velocity limit, 5 rad/s or 0.5 m/s where there is none, in both
/// directions. Offset and ripple are no friction and are left out; load-dependent friction is taken
/// without load. Friction that pushes somewhere is noticed and does not fail the verdict: a fit may
/// end in it at speeds that no log reached and predict well all the same. Value: the smallest
/// friction effort against the motion [N m or N; A]; negative: it pushes.
Check checkFrictionPassivity(const Model& model);

}  // namespace dynid
