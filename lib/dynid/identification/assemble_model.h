#pragma once

#include "dynid/identification/find_delays.h"
#include "dynid/identification/find_gains.h"
#include "dynid/identification/fit.h"
#include "dynid/identification/prediction_cutoffs.h"
#include "dynid/identification/settings.h"
#include "dynid/model/model.h"

namespace dynid {

/// Results of the steps of an identification, from which the model is assembled.
struct Results {
  const Recordings& recordings;
  const FoundGains& gains;
  const std::vector<LogDelay>& delays;  ///< one per log of the recordings
  const Regression& regression;         ///< that was fitted
  const Statistics& score;  ///< rows of inverse dynamics over the same columns: each joint's errors
  const Fit& fit;
  const PredictionCutoffs& cutoffs;
  const IdentificationSettings& settings;
};

/// Assembles the model with its covariance, verdicts, fit and provenance. `status` says whether it
/// may be used.
Model assembleModel(const Results& found);

}  // namespace dynid
