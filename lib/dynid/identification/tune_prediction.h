#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/fit.h"
#include "dynid/identification/prediction_cutoffs.h"

#include <vector>

namespace dynid {

/// The cut-offs with which a model predicts the *unfiltered* effort of its logs best, all samples,
/// each fold of blocks predicted by the consistent fit of the others. Accelerations want a lower
/// cut-off than the friction of a joint that reverses, and neither needs to be the fit's. One pass
/// over a bounded part of the logs.
///
/// @param grid     cut-offs to try [Hz], ascending
/// @param options  name and rows of the pass are set here
PredictionCutoffs tunePrediction(const Recordings& recordings,
                                 const Regression& regression,
                                 const Fit& fit,
                                 const std::vector<double>& grid,
                                 const GatherOptions& options,
                                 const FitOptions& fit_options);

/// Cut-offs around that of the fit that suit every log: factors of two from an eighth to four
/// times, below 0.2 of the rates.
std::vector<double> cutoffGrid(const Recordings& recordings);

}  // namespace dynid
