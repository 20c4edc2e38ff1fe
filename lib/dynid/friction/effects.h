#pragma once

#include "dynid/robot/parameter_layout.h"
#include "dynid/robot/robot.h"

#include <vector>

namespace dynid {

/// Columns that the ladder adds together or not at all.
struct EffectGroup {
  std::vector<Column> columns;
  double min_gain = 0.03;  ///< fraction of the held-out error by which the step must pay
};

/// The joint-side columns of one actuator: those that are always there, and the candidates of the
/// ladder.
struct ActuatorEffects {
  std::vector<Column> fixed;  ///< drive inertia, viscous, offset, position effects, and what the
                              ///< description asks for
  std::vector<Column>
      directions;  ///< Coulomb friction: exactly one is taken; one entry where there is no choice
  std::vector<EffectGroup> optional;  ///< each may be added
};

/// What the description asks for; for friction = "auto" the ladder's candidates.
/// @param speed  typical speed of the actuator in the logs [rad/s or m/s], the scale of
/// speed-dependent candidates
/// @param load   offer load-dependent friction (needs a model of the transmitted load)
ActuatorEffects actuatorEffects(const Robot& robot, int actuator, double speed, bool load);

/// The same with the direction decided: sign-based candidates use its shape.
ActuatorEffects withDirection(ActuatorEffects effects, const Column& direction);

/// Layout of all inertial columns and all effects, candidates too; names of variants carry their
/// shape so that they are unique.
struct CandidateLayout {
  ParameterLayout layout;
  std::vector<std::vector<int>> fixed, directions;  ///< per actuator: columns of the layout
  struct Group {
    std::vector<int> columns;
    double min_gain = 0.0;
  };
  std::vector<std::vector<Group>> optional;  ///< per actuator
};
CandidateLayout candidateLayout(const Robot& robot, const std::vector<ActuatorEffects>& effects);

}  // namespace dynid
