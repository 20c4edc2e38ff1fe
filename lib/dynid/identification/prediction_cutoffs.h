#pragma once

#include <Eigen/Core>

namespace dynid {

/// Low-pass cut-offs of the motion for prediction, one per actuator.
struct PredictionCutoffs {
  Eigen::VectorXd rigid;     ///< [Hz] for inertia, gravity, drive inertia, position effects
  Eigen::VectorXd friction;  ///< [Hz] for friction
  Eigen::VectorXd r2;        ///< of the unfiltered effort at these cut-offs, cross-validated
};

}  // namespace dynid
