#pragma once

#include "dynid/identification/stage.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Low-pass cut-offs of the motion for prediction, one an actuator.
struct PredictionCutoffs {
  Eigen::VectorXd rigid;     ///< [Hz] for inertia, gravity, drive inertia, position effects
  Eigen::VectorXd friction;  ///< [Hz] for friction
  Eigen::VectorXd r2;        ///< of the unfiltered effort at these cut-offs, cross-validated
};

/// The cut-offs with which a stage's model predicts the *unfiltered* effort of its logs best, all
/// samples, each fold of blocks predicted by the consistent fit of the others. Accelerations want a
/// lower cut-off than the friction of a joint that reverses, and neither needs to be the fit's. One
/// pass over a bounded look at the logs.
///
/// @param grid  cut-offs to try [Hz], ascending
PredictionCutoffs tunePrediction(Run& run,
                                 const Stage& stage,
                                 const PhysicalFitOptions& options,
                                 const std::vector<double>& grid);

/// Cut-offs around `cutoff` that suit every log: factors of two from an eighth to four times, below
/// 0.2 of the rates.
std::vector<double> cutoffGrid(const Run& run, double cutoff);

}  // namespace dynid
