#pragma once

#include "dynid/estimation/cross_validation.h"
#include "dynid/friction/effects.h"

#include <vector>

namespace dynid {

/// The columns chosen for each actuator.
struct EffectChoice {
  std::vector<int>
      sign_model;  ///< per actuator, position in ActuatorEffects::sign_models; -1: none
  std::vector<std::vector<int>> optional;  ///< per actuator, positions in ActuatorEffects::optional
};

/// The plain choice: the first sign_model, nothing optional.
EffectChoice plainChoice(const CandidateLayout& candidates);

/// How friction is chosen.
struct SelectionOptions {
  int folds = 8;
  /// A sign_model other than the sign must lower the held-out squared error of the channel by this
  /// fraction, and by more than one standard error; optional effects bring a threshold of their
  /// own.
  double min_gain = 0.03;
  int max_optional = 4;  ///< per actuator
};

/// Chooses friction by blocked cross-validation, never by the training error: per actuator first
/// the sign_model (sign or presliding), then one optional column after the other as long as the
/// held-out error, over rows in motion and at standstill, falls.
///
/// @param parameters  [layout] base values (at the independent columns) of the physically
/// consistent fit: the rigid body's share, held while friction is chosen
EffectChoice selectEffects(const Statistics& statistics,
                           const CandidateLayout& candidates,
                           const std::vector<int>& independent,
                           const Eigen::VectorXd& parameters,
                           const SelectionOptions& options = {});

/// Columns of the candidate layout under a choice, ascending.
std::vector<int> chosenColumns(const CandidateLayout& candidates,
                               const std::vector<int>& independent,
                               const EffectChoice& choice);

/// Whether anything is left to choose.
bool hasCandidates(const CandidateLayout& candidates);

/// Which channels fit their rows at standstill too: those of actuators whose Coulomb friction among
/// `columns` has a presliding state, which tells friction below the breakaway effort. All others
/// leave these rows out, as the sign of the velocity is not known there. This is the only place
/// that decides it; the estimate keeps the result.
/// @param columns   of the layout, that are fitted
/// @param channels  of the statistics; those behind the actuators have no rows at standstill
std::vector<bool> usesStandstillRows(const ParameterLayout& layout,
                                     const std::vector<int>& columns,
                                     int actuators,
                                     int channels);

}  // namespace dynid
