#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/fit.h"
#include "dynid/identification/prediction_cutoffs.h"

#include <vector>

namespace dynid {

/// Finds the cut-offs with which a model predicts the *unfiltered* effort of its logs best. All
/// samples are used, and each fold of blocks is predicted by the consistent fit of the other folds.
/// The rigid body and friction get separate cut-offs, because accelerations need a lower cut-off
/// than the friction of a joint that reverses, and both may differ from that of the fit. One pass
/// over a bounded part of the logs.
///
/// @param grid     cut-offs to try [Hz], ascending
/// @param options  name and row limit of the pass are overwritten
PredictionCutoffs tunePrediction(const Recordings& recordings,
                                 const Regression& regression,
                                 const Fit& fit,
                                 const std::vector<double>& grid,
                                 const GatherOptions& options,
                                 const FitOptions& fit_options);

/// Places of two cut-offs in the grid.
struct CutoffPair {
  Eigen::Index rigid = 0;
  Eigen::Index friction = 0;
};

/// Of all pairs whose squared error exceeds the smallest by at most .5 %, the one with the fewest
/// octaves from the cut-off of the fit; of several, the one with the smallest error. Smaller
/// differences say nothing about other logs, and a cut-off far below the motion of the log loses
/// torque on faster motion.
/// @param errors  [rigid x friction] squared error of every pair
/// @param of_fit  place of the fit's cut-off in the grid
CutoffPair nearestGoodCutoffs(const Eigen::MatrixXd& errors, Eigen::Index of_fit);

/// Cut-offs around that of the fit that are valid for every log: factors of two from 1/8 to 4,
/// below 0.2 of the sampling rates.
std::vector<double> cutoffGrid(const Recordings& recordings);

}  // namespace dynid
