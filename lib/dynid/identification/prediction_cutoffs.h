#pragma once

#include <Eigen/Core>

namespace dynid {

/// Low-pass cut-offs of the motion for prediction, one per actuator.
struct PredictionCutoffs {
  Eigen::VectorXd rigid;     ///< [Hz] for inertia, gravity, drive inertia, position effects
  Eigen::VectorXd friction;  ///< [Hz] for friction
  /// Cross-validated, of the unfiltered effort at these cut-offs; of the filtered effort of moving
  /// rows if only statistics of the logs are available.
  Eigen::VectorXd r2;
  /// Sums from which r2 is computed, in effort units squared; empty if only statistics of the logs
  /// are available.
  Eigen::VectorXd squared_error = {}, squared_effort = {};
  /// of the residual above the cut-off of the fit (squaredNoiseFloor)
  Eigen::VectorXd squared_noise = {};
};

}  // namespace dynid
