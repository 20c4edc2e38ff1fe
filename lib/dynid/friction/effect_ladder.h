#pragma once

#include "dynid/estimation/cross_validation.h"
#include "dynid/friction/effects.h"

#include <vector>

namespace dynid {

/// The columns chosen for each actuator.
struct EffectChoice {
  std::vector<int> direction;  ///< per actuator, position in ActuatorEffects::directions; -1: none
  std::vector<std::vector<int>> optional;  ///< per actuator, positions in ActuatorEffects::optional
};

/// The plain choice: the first direction, nothing optional.
EffectChoice plainChoice(const CandidateLayout& candidates);

/// What the ladder may do.
struct LadderOptions {
  int folds = 8;
  /// A direction other than the sign must lower the held-out squared error of the channel by this
  /// fraction, and by more than one standard error; optional effects bring a threshold of their
  /// own.
  double min_gain = 0.03;
  int max_optional = 4;  ///< per actuator
};

/// Chooses friction by blocked cross-validation, never by the training error: per actuator first
/// the direction (sign or presliding), then one optional column after the other as long as the
/// held-out error, over moving and still rows, falls.
///
/// @param parameters  [layout] base values (at the independent columns) of the physically
/// consistent fit: the rigid body's share, held while friction is chosen
EffectChoice climbLadder(const Statistics& statistics,
                         const CandidateLayout& candidates,
                         const std::vector<int>& independent,
                         const Eigen::VectorXd& parameters,
                         const LadderOptions& options = {});

/// Columns of the candidate layout under a choice, ascending.
std::vector<int> chosenColumns(const CandidateLayout& candidates,
                               const std::vector<int>& independent,
                               const EffectChoice& choice);

/// The still rows help to fit where the friction model knows presliding.
std::vector<bool> usesStillRows(const CandidateLayout& candidates, const EffectChoice& choice);

}  // namespace dynid
