#pragma once

#include "dynid/estimation/cross_validation.h"
#include "dynid/friction/effects.h"

#include <vector>

namespace dynid {

/// The selected columns of each actuator.
struct EffectChoice {
  /// Per actuator: index in ActuatorEffects::sign_models; -1: none.
  std::vector<int> sign_model;
  std::vector<std::vector<int>> optional;  ///< per actuator: indices in ActuatorEffects::optional
  bool operator==(const EffectChoice&) const = default;
};

/// The simplest selection: the first sign model and no optional effects.
EffectChoice plainChoice(const CandidateLayout& candidates);

/// Settings of the selection of friction terms.
struct SelectionOptions {
  /// Number of folds of the cross-validation.
  int folds = 8;
  /// Minimum reduction of the channel's held-out squared error, as a fraction, for a sign model
  /// other than the first. It must also exceed one standard error. Optional effects have separate
  /// thresholds (EffectGroup::min_gain).
  double min_gain = 0.03;
  /// The reduction by a sign model, and by each selected effect beside the others, must also be at
  /// least so many times the mean squared error of a row. By chance one parameter reduces the error
  /// by chi-square with one degree of freedom, times that of a row, and the held-out error by less.
  /// 7 is exceeded with a probability of 0.8 %. Below 233 independent rows it is more than the 3 %
  /// of min_gain.
  double min_chi_squared = 7.0;
  /// The reduction by a Stribeck curve, beside the other selected effects, must also exceed so many
  /// of its standard errors over the folds (for other effects: one). A narrow curve is determined
  /// by a few rows next to standstill, whose errors are larger than those of other rows and depend
  /// on the motion. With one standard error, 11 of 72 joints of a simulated arm without Stribeck
  /// friction had such a curve (3 % noise, experiments/friction_selection), with two none.
  double stribeck_standard_errors = 2.0;
  int max_optional = 4;  ///< per actuator
  /// [actuators] Speed up to which friction is constrained to be passive, i.e. to dissipate energy
  /// (highestActuatorSpeeds) [rad/s or m/s]; empty: no constraint.
  Eigen::VectorXd highest_speed;
  int threads = 1;  ///< for the actuators; the result does not depend on it
};

/// Selects friction terms by blocked cross-validation, never by the training error. For every
/// actuator first the sign model (sign or presliding) is selected, then one optional group after
/// the other as long as the held-out error over moving rows and rows at standstill decreases.
/// Where one of them is hysteresis, the choices before it are examined again: terms without which
/// the error is not clearly larger are removed. Presliding and hysteresis, which explain
/// standstill, must not leave more in motion: at most 2 % more, or 0.1 % of the squared friction
/// effort.
///
/// @param independent  structurally independent columns of the layout, ascending
/// @param parameters   [layout] base parameters (at the independent columns) of the physically
///     consistent fit; the rigid-body part is held at these values
EffectChoice selectEffects(const Statistics& statistics,
                           const CandidateLayout& candidates,
                           const std::vector<int>& independent,
                           const Eigen::VectorXd& parameters,
                           const SelectionOptions& options = {});

/// Columns of the candidate layout that are fitted for a selection, ascending.
std::vector<int> chosenColumns(const CandidateLayout& candidates,
                               const std::vector<int>& independent,
                               const EffectChoice& choice);

/// Whether there are candidates to select from.
bool hasCandidates(const CandidateLayout& candidates);

/// Factors [channels] of the rows at standstill in the fit of all parameters. They are zero but for
/// actuators whose Coulomb friction among `columns` has a presliding state, which determines the
/// friction below the breakaway effort: without it, the sign of the velocity is unknown there.
///
/// The friction of a resting joint depends on how the joint came to rest. It is the same in all
/// rows of one rest, which may be hundreds, so these rows count far less than as many independent
/// ones. With the weight of moving rows they change the inertial parameters until gravity explains
/// the friction at rest. The factor is therefore 0.03: about a thousand rows at rest count as one
/// moving row (measured in experiments/real_robots, "What the weight of rows at standstill
/// changes"). This rule is computed here only; the estimate stores the result.
/// @param columns   of the layout: the fitted columns
/// @param channels  number of channels of the statistics; channels after those of the actuators
///     have no rows at standstill
Eigen::VectorXd standstillWeights(const ParameterLayout& layout,
                                  const std::vector<int>& columns,
                                  int actuators,
                                  int channels);

}  // namespace dynid
