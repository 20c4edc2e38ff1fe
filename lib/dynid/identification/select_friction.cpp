#include "dynid/identification/select_friction.h"

#include "dynid/estimation/residual.h"
#include "dynid/statistics/record_statistics.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace dynid {
namespace {

// Change of the transmitted torque, as a share of it, with which friction is not what it was fitted
// with. Nine real robots have at most 0.10, a log of a tenth (PSM, fourier_test3) 3.6.
constexpr double kUnsettled = 0.25;

bool dependsOnTransmittedTorque(const EffectGroup& group) {
  return std::any_of(group.columns.begin(), group.columns.end(), [](const Column& column) {
    return column.dependsOnTransmittedTorque();
  });
}

bool dependsOnTransmittedTorque(const std::vector<ActuatorEffects>& effects) {
  return std::any_of(effects.begin(), effects.end(), [](const ActuatorEffects& actuator) {
    return dependsOnTransmittedTorque(EffectGroup{actuator.fixed});
  });
}

// The candidates of the second round: sign models as selected, terms of transmitted torque as
// candidates.
std::vector<ActuatorEffects> withTransmittedTorque(const Recordings& recordings,
                                                   const std::vector<ActuatorEffects>& before,
                                                   const EffectChoice& choice) {
  std::vector<ActuatorEffects> effects;
  for (int a = 0; a < recordings.robot->numJoints(); ++a) {
    const double speed = recordings.typical_speed(a);
    ActuatorEffects actuator = actuatorEffects(*recordings.robot, a, speed, true);
    const int chosen = choice.sign_model[a];
    if (chosen >= 0) actuator = withSignModel(actuator, before[a].sign_models[chosen]);
    effects.push_back(std::move(actuator));
  }
  return effects;
}

// The selected terms only, as fixed columns.
std::vector<ActuatorEffects> onlyChosen(const std::vector<ActuatorEffects>& offered,
                                        const EffectChoice& choice) {
  std::vector<ActuatorEffects> effects;
  for (size_t a = 0; a < offered.size(); ++a) {
    ActuatorEffects actuator{offered[a].fixed, {}, {}};
    const int sign_model = choice.sign_model[a];
    if (sign_model >= 0) actuator.fixed.push_back(offered[a].sign_models[sign_model]);
    for (int o : choice.optional[a]) {
      const std::vector<Column>& group = offered[a].optional[o].columns;
      actuator.fixed.insert(actuator.fixed.end(), group.begin(), group.end());
    }
    effects.push_back(std::move(actuator));
  }
  return effects;
}

struct Round {
  EffectChoice choice;
  LaidOutParameters model;
  std::vector<int> unsettled;  // unsettledActuators, of the columns that are fixed
};

// @returns whether there were such candidates: terms that the description asks for remain
bool dropTransmittedTorque(ActuatorEffects& actuator) {
  return std::erase_if(actuator.optional, [](const EffectGroup& group) {
           return dependsOnTransmittedTorque(group);
         }) > 0;
}

Round runRound(const std::string& name,
               const Recordings& recordings,
               const std::vector<ActuatorEffects>& effects,
               GatherOptions options,
               const LaidOutParameters* transmitting,
               const FitOptions& fit_options) {
  options.name = name;
  options.transmitting = transmitting;
  const Regression regression = gather(recordings, effects, options);
  Fit fit = fitModel(recordings, regression, fit_options);
  std::vector<int> unsettled = unsettledActuators(regression, fit.parameters, effects);
  return {std::move(fit.choice),
          {regression.layout(), std::move(fit.parameters)},
          std::move(unsettled)};
}

}  // namespace

std::vector<ActuatorEffects> plainEffects(const Recordings& recordings) {
  std::vector<ActuatorEffects> effects;
  for (int a = 0; a < recordings.robot->numJoints(); ++a)
    effects.push_back(actuatorEffects(*recordings.robot, a, recordings.typical_speed(a), false));
  return available(recordings, std::move(effects));
}

std::vector<int> unsettledActuators(const Regression& regression,
                                    const Eigen::VectorXd& parameters,
                                    const std::vector<ActuatorEffects>& chosen) {
  const ParameterLayout& layout = regression.layout();
  Eigen::MatrixXd rigid(layout.size(), 2);
  rigid << parameters, parameters - regression.transmitting;
  for (int c = 0; c < layout.size(); ++c)
    if (layout[c].kind != ColumnKind::kInertial) rigid.row(c).setZero();
  const Eigen::MatrixXd base = regression.base.combination() * rigid;
  const std::vector<int>& columns = regression.base.independent;
  std::vector<int> unsettled;
  for (int a = 0; a < std::ssize(chosen); ++a) {
    if (!dependsOnTransmittedTorque(EffectGroup{chosen[a].fixed})) continue;
    const ChannelStatistics& channel = regression.statistics->channels[a];
    if (sharedColumns(channel, columns).empty()) continue;
    const double torque = squaredModel(channel, columns, base.col(0));
    const double change = squaredModel(channel, columns, base.col(1));
    if (change > kUnsettled * kUnsettled * torque) unsettled.push_back(a);
  }
  return unsettled;
}

FrictionModel selectFriction(const Recordings& recordings,
                             const GatherOptions& options,
                             FitOptions fit_options,
                             const std::vector<bool>& transmitted_torque) {
  // The choice of friction does not depend on the last digits of the rigid body.
  constexpr double kGap = 1e-4;
  fit_options.physical.gap_tolerance = std::max(fit_options.physical.gap_tolerance, kGap);
  const std::vector<ActuatorEffects> plain = plainEffects(recordings);
  const Round without = runRound("friction", recordings, plain, options, nullptr, fit_options);
  std::vector<ActuatorEffects> all =
      available(recordings, withTransmittedTorque(recordings, plain, without.choice));
  for (size_t a = 0; a < all.size(); ++a)
    if (!transmitted_torque[a]) dropTransmittedTorque(all[a]);
  while (true) {
    Round round = runRound("load", recordings, all, options, &without.model, fit_options);
    std::vector<ActuatorEffects> chosen = onlyChosen(all, round.choice);
    if (dependsOnTransmittedTorque(chosen))
      round = runRound("load again", recordings, chosen, options, &round.model, fit_options);
    bool dropped = false;
    for (const int a : round.unsettled) dropped |= dropTransmittedTorque(all[a]);
    if (!dropped) return {chosen, {plain, all, chosen}, std::move(round.model)};
  }
}

}  // namespace dynid
