#include "dynid/friction/effects.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/joint_effects.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace dynid {
namespace {

// Values tried for the shape parameters of friction terms. Values between two neighbours would
// change the fit little. Presliding distances [rad; for prismatic actuators a tenth of the number
// in m]: longer ones than these behave like springs over the path.
constexpr double kPreslidingDistances[] = {3e-4, 1e-3, 3e-3, 1e-2};
// Distances of the hysteresis, a second Dahl state: as long as the longest one above, or longer.
constexpr double kHysteresisDistances[] = {1e-2, 3e-2, 1e-1};  // as kPreslidingDistances
constexpr double kSmoothingSpeeds[] = {
    // [rad/s]; for prismatic actuators a tenth of the number in m/s
    3e-4,
    0.003,
    0.01,
    0.03,
    0.1,
    0.3};
constexpr double kStribeckShares[] = {
    0.0625, 0.125, 0.25, 0.5, 1.0};  // of the typical speed, which is itself a power of four
constexpr double kSaturationShares[] = {0.25, 1.0};  // of the typical speed

bool isPrismatic(const Robot& robot, int actuator) { return robot.joints[actuator].prismatic; }

Column coulomb(const Robot& robot, int actuator, double presliding, double smoothing) {
  Column column = frictionColumn(robot, actuator, FrictionEffect::kCoulomb);
  column.presliding = presliding;
  column.smoothing = smoothing;
  return column;
}

void offerSignModels(const Robot& robot, int actuator, ActuatorEffects& effects) {
  const double scale = isPrismatic(robot, actuator) ? 0.1 : 1.0;
  effects.sign_models.push_back(coulomb(robot, actuator, 0.0, 0.0));
  for (double speed : kSmoothingSpeeds)
    effects.sign_models.push_back(coulomb(robot, actuator, 0.0, scale * speed));
  for (double distance : kPreslidingDistances)
    effects.sign_models.push_back(coulomb(robot, actuator, scale * distance, 0.0));
}

// Adds the columns of one effect that the description names, with the default value of its shape.
void appendNamed(const Robot& robot,
                 int actuator,
                 FrictionEffect effect,
                 double speed,
                 ActuatorEffects& effects) {
  const double scale = isPrismatic(robot, actuator) ? 0.1 : 1.0;
  switch (effect) {
    case FrictionEffect::kCoulomb:
      effects.sign_models.push_back(coulomb(robot, actuator, 0.0, 0.0));
      effects.sign_models.push_back(coulomb(robot, actuator, 0.0, scale * kSmoothingSpeeds[0]));
      break;
    case FrictionEffect::kPresliding:
      for (double distance : kPreslidingDistances)
        effects.sign_models.push_back(coulomb(robot, actuator, scale * distance, 0.0));
      break;
    case FrictionEffect::kStribeck:
      effects.fixed.push_back(frictionColumn(robot, actuator, effect, kStribeckShares[2] * speed));
      break;
    case FrictionEffect::kRipple: {
      const double turns = std::abs(robot.drives[actuator].gear_ratio.value_or(1.0));
      for (int component = 0; component < componentsOf(effect); ++component) {
        Column column = frictionColumn(robot, actuator, effect, turns);
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

// Adds candidates for the friction of the joints behind a coupled actuator, where joints do not
// turn with the motor.
void offerJointFriction(const Robot& robot, int actuator, ActuatorEffects& effects) {
  int behind = 0;
  for (int j = 0; j < robot.numJoints(); ++j) behind += robot.T(j, actuator) != 0.0 ? 1 : 0;
  if (behind < 2) return;
  for (int j = 0; j < robot.numJoints(); ++j) {
    if (robot.T(j, actuator) == 0.0) continue;
    for (FrictionEffect effect : {FrictionEffect::kViscous, FrictionEffect::kCoulomb}) {
      Column column = jointFrictionColumn(robot, j, effect);
      if (effect == FrictionEffect::kCoulomb)
        column.presliding = isPrismatic(robot, j) ? 1e-4 : 1e-3;
      effects.optional.push_back({{column}});
    }
  }
}

// Adds the candidates for friction = "auto": nonlinear functions of the velocity, Stribeck curves
// and saturations with shapes relative to the typical speed, hysteresis (a second element of a
// generalised Maxwell-slip model: Al-Bender, Lampaert, Swevers, "The generalized Maxwell-slip
// model", IEEE Transactions on Automatic Control 50, 2005), and with `load` friction proportional
// to the transmitted torque.
void offerOptional(
    const Robot& robot, int actuator, double speed, bool load, ActuatorEffects& effects) {
  for (FrictionEffect effect : {FrictionEffect::kSqrtViscous,
                                FrictionEffect::kQuadraticViscous,
                                FrictionEffect::kAsymmetric})
    effects.optional.push_back({{frictionColumn(robot, actuator, effect)}});
  for (double share : kStribeckShares)
    effects.optional.push_back(
        {{frictionColumn(robot, actuator, FrictionEffect::kStribeck, share * speed)}});
  for (double share : kSaturationShares)
    effects.optional.push_back({{coulomb(robot, actuator, 0.0, share * speed)}});
  const double scale = isPrismatic(robot, actuator) ? 0.1 : 1.0;
  for (double distance : kHysteresisDistances)
    effects.optional.push_back({{coulomb(robot, actuator, scale * distance, 0.0)}});
  if (!load) return;
  effects.optional.push_back({{frictionColumn(robot, actuator, FrictionEffect::kLoad)}});
  offerJointFriction(robot, actuator, effects);
}

}  // namespace

ActuatorEffects actuatorEffects(const Robot& robot,
                                int actuator,
                                double speed,
                                bool transmitted_torque) {
  const Drive& drive = robot.drives[actuator];
  ActuatorEffects effects;
  if (drive.drive_inertia) effects.fixed.push_back(driveInertiaColumn(robot, actuator));
  if (drive.automatic_friction) {
    for (FrictionEffect effect : {FrictionEffect::kViscous, FrictionEffect::kOffset})
      appendNamed(robot, actuator, effect, speed, effects);
    offerSignModels(robot, actuator, effects);
    offerOptional(robot, actuator, speed, transmitted_torque, effects);
  } else {
    for (FrictionEffect effect : drive.friction)
      if (effect != FrictionEffect::kLoad || transmitted_torque)
        appendNamed(robot, actuator, effect, speed, effects);
    // Presliding replaces the sign in Coulomb friction; both together are not offered.
    const auto preslides = [](const Column& c) { return c.presliding > 0.0; };
    if (std::any_of(effects.sign_models.begin(), effects.sign_models.end(), preslides))
      std::erase_if(effects.sign_models, [&](const Column& c) { return !preslides(c); });
  }
  for (size_t e = 0; e < drive.position_effects.size(); ++e) {
    const std::vector<Column> columns = positionEffectColumns(robot, actuator, static_cast<int>(e));
    effects.fixed.insert(effects.fixed.end(), columns.begin(), columns.end());
  }
  return effects;
}

ActuatorEffects withSignModel(ActuatorEffects effects, const Column& sign_model) {
  effects.sign_models = {sign_model};
  const auto shape = [&](Column& column) {
    if (!column.isFriction() || column.at_joint) return;
    if (column.effect != FrictionEffect::kLoad && column.effect != FrictionEffect::kStribeck)
      return;
    column.presliding = sign_model.presliding;
    column.smoothing = sign_model.smoothing;
  };
  for (Column& column : effects.fixed) shape(column);
  for (EffectGroup& group : effects.optional)
    for (Column& column : group.columns) shape(column);
  return effects;
}

CandidateLayout candidateLayout(const Robot& robot, const std::vector<ActuatorEffects>& effects) {
  CandidateLayout candidates;
  candidates.layout = inertialLayout(robot);
  const auto append = [&](const std::vector<Column>& columns) {
    std::vector<int> indices;
    for (Column column : columns) {
      const int standing = candidates.layout.find(column.name);
      // Several motors move this joint, which has one column
      if (standing >= 0 && column.at_joint) {
        indices.push_back(standing);
        continue;
      }
      for (int variant = 2; candidates.layout.find(column.name) >= 0; ++variant)
        column.name = column.name.substr(0, column.name.find('@')) + "@" + std::to_string(variant);
      indices.push_back(candidates.layout.size());
      candidates.layout.append(column);
    }
    return indices;
  };
  for (const ActuatorEffects& actuator : effects) {
    candidates.fixed.push_back(append(actuator.fixed));
    candidates.sign_models.push_back(append(actuator.sign_models));
    std::vector<CandidateLayout::Group>& groups = candidates.optional.emplace_back();
    for (const EffectGroup& group : actuator.optional)
      groups.push_back({append(group.columns), group.min_gain});
  }
  return candidates;
}

std::vector<int> candidateColumns(const CandidateLayout& candidates) {
  std::vector<int> columns;
  for (const std::vector<int>& of_actuator : candidates.sign_models)
    columns.insert(columns.end(), of_actuator.begin(), of_actuator.end());
  for (const std::vector<CandidateLayout::Group>& groups : candidates.optional)
    for (const CandidateLayout::Group& group : groups)
      columns.insert(columns.end(), group.columns.begin(), group.columns.end());
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::vector<int> fixedColumns(const CandidateLayout& candidates,
                              const std::vector<int>& independent) {
  const std::vector<int> chosen_among = candidateColumns(candidates);
  std::vector<int> columns;
  std::set_difference(independent.begin(),
                      independent.end(),
                      chosen_among.begin(),
                      chosen_among.end(),
                      std::back_inserter(columns));
  return columns;
}

}  // namespace dynid
