#include "dynid/identification/effects.h"

#include <algorithm>

#include "dynid/core/text.h"
#include "dynid/dynamics/joint_effects.h"

namespace dynid {
namespace {

// Grids of the two inner numbers of friction; a factor of three between neighbours changes the fit by little.
constexpr double kPreslidingDistances[] = {3e-4, 1e-3, 3e-3, 1e-2, 3e-2};  // [rad]; a tenth in metres
constexpr double kStribeckVelocities[] = {0.03, 0.1, 0.3};                 // [rad/s]; a tenth in metres

bool isPrismatic(const Robot& robot, int actuator) {
  return robot.joints[static_cast<size_t>(actuator)].prismatic;
}

Column withShape(Column column, double presliding) {
  column.presliding = presliding;
  return column;
}

void appendPositionEffects(const Robot& robot, int actuator, std::vector<Column>& columns) {
  const Drive& drive = robot.drives[static_cast<size_t>(actuator)];
  for (size_t e = 0; e < drive.position_effects.size(); ++e) {
    const std::vector<PositionTerm> terms =
        positionTerms(drive.position_effects[e], isPrismatic(robot, actuator));
    for (size_t t = 0; t < terms.size(); ++t) {
      Column column;
      column.kind = ColumnKind::kPosition;
      column.owner = actuator;
      column.component = static_cast<int>(t);
      column.shape = static_cast<double>(e);
      const std::string owner = drive.position_effects[e].at_actuator
                                    ? drive.name
                                    : robot.joints[static_cast<size_t>(actuator)].name;
      column.name = owner + "." + terms[t].name + (e > 0 ? std::to_string(e + 1) : "");
      column.unit = terms[t].unit;
      columns.push_back(column);
    }
  }
}

// Columns of one named effect with its default inner number.
void appendNamed(const Robot& robot, int actuator, FrictionEffect effect, ActuatorEffects& effects) {
  const double scale = isPrismatic(robot, actuator) ? 0.1 : 1.0;
  switch (effect) {
    case FrictionEffect::kCoulomb:
      effects.directions.push_back(frictionColumn(robot, actuator, effect));
      break;
    case FrictionEffect::kPresliding:
      for (double distance : kPreslidingDistances)
        effects.directions.push_back(withShape(
            frictionColumn(robot, actuator, FrictionEffect::kCoulomb), scale * distance));
      break;
    case FrictionEffect::kStribeck:
      for (double velocity : kStribeckVelocities)
        effects.optional.push_back(frictionColumn(robot, actuator, effect, scale * velocity));
      break;
    case FrictionEffect::kRipple: {
      const double turns =
          robot.drives[static_cast<size_t>(actuator)].gear_ratio.value_or(1.0);
      for (int component = 0; component < componentsOf(effect); ++component) {
        Column column = frictionColumn(robot, actuator, effect, std::abs(turns));
        column.component = component;
        column.name += component == 0 ? "_sin" : "_cos";
        effects.fixed.push_back(column);
      }
      break;
    }
    default:
      effects.fixed.push_back(frictionColumn(robot, actuator, effect));
  }
}

}  // namespace

ActuatorEffects actuatorEffects(const Robot& robot, int actuator, bool load) {
  const Drive& drive = robot.drives[static_cast<size_t>(actuator)];
  ActuatorEffects effects;
  if (drive.drive_inertia) effects.fixed.push_back(driveInertiaColumn(robot, actuator));
  if (drive.automatic_friction) {
    for (FrictionEffect effect : {FrictionEffect::kViscous, FrictionEffect::kOffset})
      appendNamed(robot, actuator, effect, effects);
    for (FrictionEffect effect : {FrictionEffect::kCoulomb, FrictionEffect::kPresliding})
      appendNamed(robot, actuator, effect, effects);
    for (FrictionEffect effect : {FrictionEffect::kSqrtViscous,
                                  FrictionEffect::kQuadraticViscous,
                                  FrictionEffect::kAsymmetric})
      effects.optional.push_back(frictionColumn(robot, actuator, effect));
    appendNamed(robot, actuator, FrictionEffect::kStribeck, effects);
    if (load) effects.optional.push_back(frictionColumn(robot, actuator, FrictionEffect::kLoad));
  } else {
    for (FrictionEffect effect : drive.friction) {
      if (effect == FrictionEffect::kLoad && !load) continue;
      appendNamed(robot, actuator, effect, effects);
    }
    // Presliding replaces the sign of Coulomb friction, it does not stand beside it.
    const bool presliding = std::any_of(effects.directions.begin(),
                                        effects.directions.end(),
                                        [](const Column& c) { return c.presliding > 0.0; });
    if (presliding)
      std::erase_if(effects.directions, [](const Column& c) { return c.presliding == 0.0; });
  }
  appendPositionEffects(robot, actuator, effects.fixed);
  return effects;
}

ActuatorEffects withDirection(ActuatorEffects effects, const Column& direction) {
  effects.directions = {direction};
  for (std::vector<Column>* columns : {&effects.fixed, &effects.optional})
    for (Column& column : *columns)
      if (column.kind == ColumnKind::kFriction && (column.effect == FrictionEffect::kLoad ||
                                                   column.effect == FrictionEffect::kStribeck))
        column.presliding = direction.presliding;
  return effects;
}

CandidateLayout candidateLayout(const Robot& robot, const std::vector<ActuatorEffects>& effects) {
  CandidateLayout candidates;
  candidates.layout = inertialLayout(robot);
  const auto append = [&](const std::vector<Column>& columns, std::vector<int>& indices) {
    for (Column column : columns) {
      if (candidates.layout.find(column.name) >= 0)
        column.name += "@" + toText(column.presliding > 0.0 ? column.presliding : column.shape, 3);
      indices.push_back(candidates.layout.size());
      candidates.layout.append(column);
    }
  };
  for (const ActuatorEffects& actuator : effects) {
    append(actuator.fixed, candidates.fixed.emplace_back());
    append(actuator.directions, candidates.directions.emplace_back());
    append(actuator.optional, candidates.optional.emplace_back());
  }
  return candidates;
}

}  // namespace dynid
