#pragma once

#include "dynid/identification/fit.h"

#include <vector>

namespace dynid {

/// The friction of a model.
struct FrictionModel {
  /// Per actuator what was chosen, as fixed columns: nothing is left to choose.
  std::vector<ActuatorEffects> chosen;
  /// All that was offered on the way, per round: what a later identification may want to choose
  /// among.
  std::vector<std::vector<ActuatorEffects>> offered;
  /// The consistent model behind friction in proportion to the transmitted torque.
  LaidOutParameters transmitting;
};

/// The columns that every friction model begins with, and the candidates that need no model of the
/// transmitted torque.
std::vector<ActuatorEffects> plainEffects(const Recordings& recordings);

/// Selects friction by cross-validation over a bounded part of the recordings, in rounds: without
/// friction that depends on the transmitted torque; with it, on the model of the round before; and,
/// where it was chosen, the parameters once more on the model of that round.
///
/// @param options          pass: over how much of the recordings; drive gains as found
/// @param transmitted_torque  false: friction that depends on it is not offered (it needs
/// accelerations)
FrictionModel selectFriction(const Recordings& recordings,
                             const GatherOptions& options,
                             const FitOptions& fit_options,
                             bool transmitted_torque);

}  // namespace dynid
