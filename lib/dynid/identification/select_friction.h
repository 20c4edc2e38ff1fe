#pragma once

#include "dynid/identification/fit.h"

#include <vector>

namespace dynid {

/// The friction terms of a model.
struct FrictionModel {
  /// Per actuator the selected terms, as fixed columns without candidates.
  std::vector<ActuatorEffects> chosen;
  /// All columns that were candidates, per round: statistics for later use record them, so that a
  /// later identification can select among them.
  std::vector<std::vector<ActuatorEffects>> offered;
  /// The consistent model from which friction proportional to the transmitted torque is computed.
  LaidOutParameters transmitting;
};

/// The columns of every friction model, and the candidates that do not need the transmitted torque.
std::vector<ActuatorEffects> plainEffects(const Recordings& recordings);

/// Selects friction by cross-validation over a bounded part of the recordings, in rounds: first
/// without friction that depends on the transmitted torque; then with it, computed from the model
/// of the first round; and, if it was selected, once more with the model of that round. Where the
/// transmitted torque has not settled then (unsettledActuators), the choice is repeated without
/// such candidates.
///
/// @param options  `pass` limits the rows of the recordings; drive gains as found
/// @param transmitted_torque  [actuators] false: no candidates that depend on it (it needs
///     accelerations)
FrictionModel selectFriction(const Recordings& recordings,
                             const GatherOptions& options,
                             FitOptions fit_options,
                             const std::vector<bool>& transmitted_torque);

/// The actuators with friction proportional to a transmitted torque that differs from that of the
/// fitted model by more than a quarter: a prediction then has other friction than the fit had.
/// @param parameters  [layout] fitted
/// @param chosen      effects of the regression, as fixed columns
std::vector<int> unsettledActuators(const Regression& regression,
                                    const Eigen::VectorXd& parameters,
                                    const std::vector<ActuatorEffects>& chosen);

}  // namespace dynid
