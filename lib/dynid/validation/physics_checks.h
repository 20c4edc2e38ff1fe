#pragma once

#include "dynid/model/model.h"
#include "dynid/validation/validation.h"

#include <cstdint>

namespace dynid {

/// dM/dt - 2 S is skew symmetric for the Christoffel factorisation S of the Coriolis and
/// centrifugal efforts, and S dq + g equals the inverse dynamics at ddq = 0. Passivity-based
/// controllers and observers rely on this structure. Value: the larger relative error over
/// `samples` states (skewSymmetry). Drive inertias are constant and have no effect.
Check checkSkewSymmetry(const Model& model, int samples = 32, std::uint64_t seed = 1);

/// dE/dt = dq.tau for links and drives of the model without friction: its energies and its efforts
/// are consistent. Value: the largest imbalance over `samples` states, relative to sum |dq_j
/// tau_j|.
Check checkPowerBalance(const Model& model, int samples = 256, std::uint64_t seed = 1);

/// Friction dissipates energy at every speed: tau_friction v >= 0 for each actuator (and each joint
/// with friction columns behind a coupled transmission) in both directions up to its velocity
/// limit, or 5 rad/s or 0.5 m/s without a limit. Offset and ripple are not friction and are left
/// out; load-dependent friction is evaluated without transmitted torque. Friction that feeds energy
/// into the motion at some speed is reported but does not fail the verdict: a fit may have it at
/// speeds that no log reaches and still predict well. Value: the smallest friction effort against
/// the motion [N m or N; A]; negative where it feeds energy.
Check checkFrictionPassivity(const Model& model);

}  // namespace dynid
