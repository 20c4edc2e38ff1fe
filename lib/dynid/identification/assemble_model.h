#pragma once

#include "dynid/identification/signal_tuning.h"
#include "dynid/identification/stage.h"
#include "dynid/model/model.h"

#include <memory>
#include <vector>

namespace dynid {

/// What the stages of an identification hand over to become a model.
struct ModelParts {
  const Run* run = nullptr;
  const PredictionCutoffs* cutoffs = nullptr;
  Equations equations;
  ParameterLayout layout;
  const Statistics* statistics = nullptr;  ///< of the fitted equations
  const Statistics* score = nullptr;       ///< of inverse dynamics, for the errors of each joint
  const Estimate* estimate = nullptr;      ///< over base->independent
  const BaseParameters* base = nullptr;
  const ConsistentFit* fit = nullptr;
};

/// The model with its covariance, verdicts, fit and provenance; `status` says whether it may be
/// used.
Model assembleModel(const ModelParts& parts);

}  // namespace dynid
