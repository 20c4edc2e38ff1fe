#pragma once

#include "dynid/robot/parameter_layout.h"
#include "dynid/robot/robot.h"

#include <vector>

namespace dynid {

/// Columns that are chosen together or not at all.
struct EffectGroup {
  std::vector<Column> columns;
  double min_gain = 0.03;  ///< fraction of the held-out error that they must save at least
};

/// The columns of one actuator beside the rigid body: those that are always there, and the
/// candidates that selectEffects chooses among.
struct ActuatorEffects {
  /// Drive inertia, viscous friction, offset, position effects, and what the description asks for.
  std::vector<Column> fixed;
  /// Coulomb friction, with one model of the sign of the velocity each (jump or ramp, tanh,
  /// presliding): exactly one is taken.
  std::vector<Column> sign_models;
  std::vector<EffectGroup> optional;  ///< each may be added
};

/// What the description asks for; for friction = "auto" the candidates.
/// @param speed  typical speed of the actuator in the logs [rad/s or m/s], the scale of
/// speed-dependent candidates
/// @param transmitted_torque  offer friction in proportion to it (needs a model of that torque)
ActuatorEffects actuatorEffects(const Robot& robot,
                                int actuator,
                                double speed,
                                bool transmitted_torque);

/// The same with the model of the sign decided: sign-based candidates use it too.
ActuatorEffects withSignModel(ActuatorEffects effects, const Column& sign_model);

/// Layout of all inertial columns and all effects, candidates too; names of variants carry their
/// shape so that they are unique.
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

/// The columns that may be chosen or not: sign models and optional effects, ascending.
std::vector<int> candidateColumns(const CandidateLayout& candidates);

/// Those of `independent` that are always fitted: all but the candidates.
/// @param independent  structurally independent columns of the layout, ascending
std::vector<int> fixedColumns(const CandidateLayout& candidates,
                              const std::vector<int>& independent);

}  // namespace dynid
