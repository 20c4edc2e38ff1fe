#pragma once

#include <vector>

#include "dynid/robot/parameter_layout.h"
#include "dynid/robot/robot.h"

namespace dynid {

/// The joint-side columns of one actuator: those that are always there, and the candidates of the ladder.
struct ActuatorEffects {
  std::vector<Column> fixed;       ///< drive inertia, viscous, offset, position effects, and what the description asks for
  std::vector<Column> directions;  ///< Coulomb friction: exactly one is taken; one entry where there is no choice
  std::vector<Column> optional;    ///< each may be added
};

/// What the description asks for; for friction = "auto" the ladder's candidates.
/// @param load  offer load-dependent friction (needs a model of the transmitted load)
ActuatorEffects actuatorEffects(const Robot& robot, int actuator, bool load);

/// The same with the direction decided: sign-based candidates use its presliding distance.
ActuatorEffects withDirection(ActuatorEffects effects, const Column& direction);

/// Layout of all inertial columns and all effects, candidates too; names of variants carry their shape so that they are unique.
struct CandidateLayout {
  ParameterLayout layout;
  /// Per actuator the layout's columns of `fixed`, `directions`, `optional`.
  std::vector<std::vector<int>> fixed, directions, optional;
};
CandidateLayout candidateLayout(const Robot& robot, const std::vector<ActuatorEffects>& effects);

}  // namespace dynid
