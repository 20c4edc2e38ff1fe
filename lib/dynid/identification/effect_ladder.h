#pragma once

#include <vector>

#include "dynid/estimation/cross_validation.h"
#include "dynid/identification/effects.h"

namespace dynid {

/// The columns chosen for each actuator.
struct EffectChoice {
  std::vector<int> direction;             ///< per actuator, position in ActuatorEffects::directions; -1: none
  std::vector<std::vector<int>> optional; ///< per actuator, positions in ActuatorEffects::optional
};

/// What the ladder may do.
struct LadderOptions {
  int folds = 8;
  /// A step is taken if it lowers the held-out squared error of the channel by this fraction at least ...
  double min_gain = 0.01;
  /// ... and in this share of the folds.
  double min_share = 0.6;
  int max_optional = 3;  ///< per actuator
  int sweeps = 2;        ///< over all actuators, since channels share the inertial parameters
};

/// Chooses friction by blocked cross-validation, never by the training error: per actuator first the direction (sign or
/// presliding, judged on all samples, since that is where they differ), then one optional column after the other as long as
/// the held-out error falls.
///
/// @param independent  structurally independent columns of the candidate layout, without directions and optional ones
EffectChoice climbLadder(const Statistics& statistics,
                         const Eigen::VectorXd& sigma,
                         const CandidateLayout& candidates,
                         const std::vector<int>& independent,
                         const LadderOptions& options = {});

/// Columns of the candidate layout under a choice, ascending.
std::vector<int> chosenColumns(const CandidateLayout& candidates,
                               const std::vector<int>& independent,
                               const EffectChoice& choice);

/// The still rows help to fit where the friction model knows presliding.
std::vector<bool> usesStillRows(const CandidateLayout& candidates, const EffectChoice& choice);

}  // namespace dynid
