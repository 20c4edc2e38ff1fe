#pragma once

#include "dynid/robot/parameter_layout.h"
#include "dynid/robot/robot.h"

#include <vector>

namespace dynid {

/// Columns that are selected together or not at all.
struct EffectGroup {
  std::vector<Column> columns;
  /// Minimum reduction of the held-out error, as a fraction, to be selected
  double min_gain = 0.03;
};

/// The columns of one actuator other than those of the rigid bodies: the ones always fitted, and
/// the candidates of selectEffects.
struct ActuatorEffects {
  /// Drive inertia, viscous friction, offset, position effects, and the effects that the
  /// description names.
  std::vector<Column> fixed;
  /// Coulomb friction with different models of the sign of the velocity (step or ramp, tanh,
  /// presliding). Exactly one of them is selected.
  std::vector<Column> sign_models;
  std::vector<EffectGroup> optional;  ///< each may be selected
};

/// The effects that the description names; for friction = "auto" the candidates.
/// @param speed  [rad/s or m/s] typical speed of the actuator in the logs; scales speed-dependent
///     candidates
/// @param transmitted_torque  whether to offer friction proportional to the transmitted torque
///     (needs a model of that torque)
ActuatorEffects actuatorEffects(const Robot& robot,
                                int actuator,
                                double speed,
                                bool transmitted_torque);

/// The same effects with the selected sign model, which candidates based on the sign use too.
ActuatorEffects withSignModel(ActuatorEffects effects, const Column& sign_model);

/// Layout of all inertial columns and all effects including candidates. The names of variants
/// contain their shape, so that they are unique.
struct CandidateLayout {
  ParameterLayout layout;
  std::vector<std::vector<int>> fixed, sign_models;  ///< per actuator: columns of the layout
  struct Group {
    std::vector<int> columns;
    double min_gain = 0.0;
  };
  std::vector<std::vector<Group>> optional;  ///< per actuator
};
CandidateLayout candidateLayout(const Robot& robot, const std::vector<ActuatorEffects>& effects);

/// The columns of all candidates: sign models and optional effects, ascending.
std::vector<int> candidateColumns(const CandidateLayout& candidates);

/// The columns of `independent` that are always fitted, i.e. all but the candidates.
/// @param independent  structurally independent columns of the layout, ascending
std::vector<int> fixedColumns(const CandidateLayout& candidates,
                              const std::vector<int>& independent);

}  // namespace dynid
