#pragma once

#include "dynid/friction/select_effects.h"
#include "dynid/math/random_stream.h"

#include "equations/exact_rows.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace dynid {

/// Friction of every actuator of a simulated robot, in addition to viscous friction and offset.
struct FrictionTruth {
  double coulomb = 0.0;              ///< relative to the actuator's root mean square effort
  double stribeck = 0.0;             ///< relative to the actuator's root mean square effort
  double stribeck_velocity = 0.0;    ///< [rad/s]
  double presliding = 0.0;           ///< [rad; a tenth in m] of the Coulomb term; 0: no presliding
  double transmitted = 0.0;          ///< relative to the transmitted torque
  double hysteresis = 0.0;           ///< relative to the actuator's root mean square effort
  double hysteresis_distance = 0.0;  ///< [rad; a tenth in m]
};

/// What was selected for one actuator.
struct SelectedFriction {
  Column sign_model;
  std::vector<Column> optional;
  bool uses_standstill = false;

  bool has(FrictionEffect effect) const {
    return std::any_of(optional.begin(), optional.end(), [&](const Column& column) {
      return column.effect == effect;
    });
  }
  /// Distance of the selected hysteresis [rad or m]; 0: none.
  double hysteresisDistance() const {
    for (const Column& column : optional)
      if (column.effect == FrictionEffect::kCoulomb) return column.presliding;
    return 0.0;
  }
};

/// The true robot with this friction.
/// @param rigid_effort  [samples x actuators] effort of the rigid bodies in the motion
inline SimulationTruth truthWithFriction(const Robot& robot,
                                         const SimulationTruth& rigid,
                                         const Eigen::MatrixXd& rigid_effort,
                                         const FrictionTruth& friction) {
  SimulationTruth truth = rigid;
  std::vector<double> values(rigid.parameters.begin(), rigid.parameters.end());
  const auto add = [&](const Column& column, double value) {
    if (value == 0.0) return;
    truth.layout.append(column);
    values.push_back(value);
  };
  for (int a = 0; a < robot.numJoints(); ++a) {
    const double size =
        std::sqrt(rigid_effort.col(a).squaredNorm() / static_cast<double>(rigid_effort.rows()));
    add(driveInertiaColumn(robot, a), 0.02 * size);
    add(frictionColumn(robot, a, FrictionEffect::kViscous), 0.1 * size);
    add(frictionColumn(robot, a, FrictionEffect::kOffset), 0.05 * size);
    const double scale = robot.joints[a].prismatic ? 0.1 : 1.0;
    Column coulomb = frictionColumn(robot, a, FrictionEffect::kCoulomb);
    coulomb.presliding = scale * friction.presliding;
    add(coulomb, friction.coulomb * size);
    add(frictionColumn(robot, a, FrictionEffect::kStribeck, friction.stribeck_velocity),
        friction.stribeck * size);
    add(frictionColumn(robot, a, FrictionEffect::kLoad), friction.transmitted);
    Column hysteresis = frictionColumn(robot, a, FrictionEffect::kCoulomb);
    hysteresis.presliding = scale * friction.hysteresis_distance;
    hysteresis.name += "@hysteresis";
    add(hysteresis, friction.hysteresis * size);
  }
  truth.parameters = Eigen::Map<Eigen::VectorXd>(values.data(), std::ssize(values));
  return truth;
}

/// The true values of the base parameters, at their independent columns of the layout.
inline Eigen::VectorXd trueBaseValues(const SimulationTruth& truth,
                                      const ParameterLayout& layout,
                                      const BaseParameters& base) {
  Eigen::VectorXd held = Eigen::VectorXd::Zero(layout.size());
  for (int c = 0; c < layout.size(); ++c) {
    const int from = truth.layout.find(layout[c].name);
    if (from >= 0) held(c) = truth.parameters(from);
  }
  Eigen::VectorXd values = Eigen::VectorXd::Zero(layout.size());
  values(base.independent) = base.combination() * held;
  return values;
}

/// White noise [samples x channels], relative to each channel's root mean square effort.
inline Eigen::MatrixXd whiteNoise(const Eigen::MatrixXd& effort, double noise, std::uint64_t seed) {
  Eigen::MatrixXd errors(effort.rows(), effort.cols());
  RandomStream random(seed, 17);
  for (Eigen::Index a = 0; a < effort.cols(); ++a) {
    const double size = std::sqrt(effort.col(a).squaredNorm() / static_cast<double>(effort.rows()));
    for (double& error : errors.col(a)) error = noise * size * random.normal();
  }
  return errors;
}

/// Simulates a random motion of the robot with this friction and white noise on its efforts, and
/// selects friction terms while the rigid-body parameters are held at their true values.
/// @param noise  relative to each channel's root mean square effort
/// @param rows   every (8000 / rows)-th of the 8000 rows is used
inline std::vector<SelectedFriction> selectedFriction(const std::shared_ptr<const Robot>& robot,
                                                      const FrictionTruth& friction,
                                                      std::uint64_t seed,
                                                      double noise,
                                                      int rows = 8000,
                                                      const SelectionOptions& selection = {}) {
  RandomMotionOptions motion;
  motion.duration_s = 40.0;
  motion.seed = seed;
  constexpr double kRate = 200.0;
  const int n = robot->numJoints();
  SimulationTruth rigid = randomTruth(*robot, seed);
  rigid.layout = inertialLayout(*robot);
  rigid.parameters = rigid.parameters.head(rigid.layout.size()).eval();
  const SimulationTruth truth =
      truthWithFriction(*robot, rigid, exactSignals(*robot, rigid, motion, kRate).effort, friction);
  const ActuatorSignals signals = exactSignals(*robot, truth, motion, kRate);

  std::vector<ActuatorEffects> effects;
  for (int a = 0; a < n; ++a) effects.push_back(actuatorEffects(*robot, a, 1.0, true));
  const CandidateLayout candidates = candidateLayout(*robot, effects);
  const ParameterLayout& layout = candidates.layout;
  const BaseParameters base = structuralBase(robot, layout, {std::nullopt});

  ExactRows exact;
  exact.robot = robot;
  exact.layout = layout;
  exact.effort = signals.effort;
  const Eigen::VectorXd still = Eigen::VectorXd::Constant(n, 0.02);
  exact.moving = movingMask(signals.dq(), still);
  const std::vector<int> fixed = fixedColumns(candidates, base.independent);
  std::vector<int> columns = candidateColumns(candidates);
  columns.insert(columns.end(), fixed.begin(), fixed.end());
  std::sort(columns.begin(), columns.end());
  // The motion is exact, so the sign of the velocity needs no ramp.
  RowBuilder builder(robot, layout, columns, Eigen::VectorXd::Zero(n));
  Eigen::VectorXd transmitting = Eigen::VectorXd::Zero(layout.size());
  transmitting.head(rigid.parameters.size()) = rigid.parameters;
  builder.setTorqueModel(transmitting);
  RowBlock block;
  builder.build(signals, nullptr, builder.advance(signals, {}), block);
  exact.Y = block.copy();
  for (int a = 0; a < n; ++a) exact.columns.push_back(builder.columns(a));

  const Statistics statistics =
      compress(exact, whiteNoise(exact.effort, noise, seed), 16, {}, 8000 / rows);
  const EffectChoice choice =
      selectEffects(statistics, candidates, fixed, trueBaseValues(truth, layout, base), selection);
  const std::vector<int> fitted = chosenColumns(candidates, fixed, choice);
  const Eigen::VectorXd standstill = standstillWeights(layout, fitted, n, n);
  std::vector<SelectedFriction> selected;
  for (int a = 0; a < n; ++a) {
    SelectedFriction friction_of_actuator{
        layout[candidates.sign_models[a][choice.sign_model[a]]], {}, standstill(a) > 0.0};
    for (int o : choice.optional[a])
      friction_of_actuator.optional.push_back(layout[candidates.optional[a][o].columns.front()]);
    selected.push_back(friction_of_actuator);
  }
  return selected;
}

}  // namespace dynid
