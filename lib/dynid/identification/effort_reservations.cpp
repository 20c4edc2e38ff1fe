#include "dynid/identification/effort_reservations.h"

#include "dynid/core/text.h"
#include "dynid/dynamics/friction_resistance.h"
#include "dynid/estimation/residual.h"
#include "dynid/identification/excitation_reservations.h"
#include "dynid/model/error_limits.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

// Of the root mean square effort. Friction of every joint of nine real robots: from 1.5 % (Panda
// and xMate7 Pro, whose torque sensors are behind the gears) to nearly all of it.
constexpr double kNoFriction = 0.01;
constexpr int kFewestJoints = 2;

void addFriction(const Model& model,
                 const Eigen::VectorXd& shares,
                 std::vector<std::string>& found) {
  double largest = 0.0;
  int joints = 0;
  const Eigen::Index channels =
      std::min<Eigen::Index>(shares.size(), std::ssize(model.fit.per_joint));
  for (Eigen::Index a = 0; a < channels; ++a) {
    if (!movesInLogs(model.fit.per_joint[a])) continue;
    if (!(shares(a) < kNoFriction)) return;
    largest = std::max(largest, shares(a));
    ++joints;
  }
  if (joints < kFewestJoints) return;
  found.push_back(fmt::format(
      "the efforts contain no friction: what was fitted is at most {:.2g} % of the effort of any "
      "joint that moves, and in measured efforts of nine real robots it is 1.5 % or more of every "
      "joint and most of the effort of some; check that the column holds the measured effort, and "
      "no torque that a controller computes from a model and no simulation without friction (the "
      "model holds for these efforts)",
      100.0 * largest));
}

/// Names the joints whose effort holds a constant that is no friction.
void addConstants(const Model& model,
                  const Eigen::VectorXd& shares,
                  std::vector<std::string>& found) {
  constexpr double kLargeOfEffort = 0.25, kLargeOfFriction = 4.0, kWellKnown = 0.1;
  const Eigen::Index channels =
      std::min<Eigen::Index>(shares.size(), std::ssize(model.fit.per_joint));
  const std::vector<std::string> names = model.robot->logColumnNames();
  std::vector<std::string> joints;
  for (const BaseParameterEstimate& parameter : model.base_parameters) {
    const int place = model.layout.find(parameter.name);
    if (place < 0 || !model.layout[place].isFriction(FrictionEffect::kOffset)) continue;
    const int channel = model.layout[place].owner;
    if (channel >= channels || !(parameter.relativeStdDev() < kWellKnown)) continue;
    const ChannelFit& fit = model.fit.per_joint[channel];
    if (!movesInLogs(fit) || !(fit.relative_error > 0.0)) continue;
    const double constant = std::abs(parameter.value) * fit.relative_error / fit.rmse;
    if (!(constant > kLargeOfEffort && constant > kLargeOfFriction * shares(channel))) continue;
    joints.push_back(fmt::format("{} ({:.0f} % of it)", names[channel], 100.0 * constant));
  }
  if (joints.empty()) return;
  found.push_back(fmt::format(
      "the effort of {} holds a constant that is several times its friction: the effort was set to "
      "zero at some posture (tared), or the sensor has a bias, or the robot description lacks a "
      "spring. The model predicts only logs with the same constant; log efforts that are not "
      "tared, or describe the spring",
      join(joints)));
}

/// Names the joints whose error at standstill is larger than their friction can hold.
void addErrorsAtRest(const Model& model,
                     const Eigen::VectorXd& shares,
                     std::vector<std::string>& found) {
  constexpr double kLargeOfEffort = 0.1, kMostMoving = 0.9;  // share of the samples
  const Eigen::Index channels =
      std::min<Eigen::Index>(shares.size(), std::ssize(model.fit.per_joint));
  const std::vector<std::string> names = model.robot->logColumnNames();
  std::vector<std::string> joints;
  for (Eigen::Index a = 0; a < channels; ++a) {
    const ChannelFit& fit = model.fit.per_joint[a];
    // What is neither noise nor an error in motion.
    const double at_rest =
        std::sqrt(std::max(0.0,
                           std::pow(fit.cross_validated_error, 2) - std::pow(fit.noise_floor, 2) -
                               std::pow(fit.relative_error, 2)));
    if (!movesInLogs(fit) || fit.samples > kMostMoving * model.fit.samples) continue;
    if (at_rest > kLargeOfEffort && at_rest > shares(a))
      joints.push_back(fmt::format("{} ({:.0f} % of its effort)", names[a], 100.0 * at_rest));
  }
  if (joints.empty()) return;
  found.push_back(fmt::format(
      "the error of {} is at standstill and larger than friction can hold: the position was not "
      "recorded there (a stuck encoder or message), or a brake, a support or an end stop carries "
      "the joint; compare position and effort in a plot (`report`), and leave that part out "
      "(`from_s`, `to_s`)",
      join(joints)));
}

void addNoise(const Model& model, std::vector<std::string>& found) {
  if (!(model.fit.noise_floor > kLargestError)) return;
  found.push_back(fmt::format(
      "the residual above the cut-off of the fit, which no model explains, is {:.0f} % of the "
      "efforts: measured efforts are quieter (those of nine real robots have at most 27 %), and "
      "dynid validate fails logs with more than {:.0f} %; check that the column holds the measured "
      "effort, and no command of a controller or estimate of external efforts",
      100.0 * model.fit.noise_floor,
      100.0 * kLargestError));
}

}  // namespace

Eigen::VectorXd frictionShares(const Regression& regression,
                               const Statistics& score,
                               const Eigen::VectorXd& parameters) {
  const Eigen::VectorXd base = regression.base.combination() * parameters;
  std::vector<int> columns;
  std::vector<double> values;
  for (size_t i = 0; i < regression.base.independent.size(); ++i) {
    const Column& column = regression.layout()[regression.base.independent[i]];
    if (!isDissipative(column) && !column.dependsOnTransmittedTorque()) continue;
    columns.push_back(regression.base.independent[i]);
    values.push_back(base(static_cast<Eigen::Index>(i)));
  }
  const Eigen::Map<const Eigen::VectorXd> beta(values.data(), std::ssize(values));
  Eigen::VectorXd shares = Eigen::VectorXd::Constant(score.numChannels(), std::nan(""));
  for (Eigen::Index a = 0; a < shares.size(); ++a) {
    const ChannelStatistics& channel = score.channels[a];
    if (sharedColumns(channel, columns).empty()) continue;
    const double effort = movingSums(channel, columns, beta).squared_effort;
    if (effort > 0.0) shares(a) = std::sqrt(squaredModel(channel, columns, beta) / effort);
  }
  return shares;
}

std::vector<std::string> effortReservations(const Model& model, const Eigen::VectorXd& friction) {
  std::vector<std::string> found;
  addFriction(model, friction, found);
  addConstants(model, friction, found);
  addErrorsAtRest(model, friction, found);
  addNoise(model, found);
  return found;
}

}  // namespace dynid
