#pragma once

#include "dynid/diagnosis/hypothesis_score.h"

#include <Eigen/Core>

namespace dynid {

/// How well rigid bodies that resemble the links explain the efforts.
struct ConsistentScore {
  bool solved = false;
  /// J = sum over channels of joints that move of log max(unexplained, 0.003), not
  /// cross-validated.
  double objective = 0.0;
  double free_objective = 0.0;  ///< J of least squares with the same weights, without physics
  Eigen::VectorXd unexplained;  ///< [channels] residual over the effort's variance; 0 at rest
};

/// Fits the plain model with every body's pseudo-inertia P_k positive, friction and drive inertias
/// not negative, and a prior,
///
///     min 1/2 sum_c w_c ||tau_c - Y_c pi||^2 + 0.02 N sum_k D(P_k || prior_k),
///
/// w_c = 1 / (variance_c max(unexplained_c, 0.003)), N the number of rows of all channels, D the
/// log-determinant divergence from the bodies of priorBodies (a common factor on them is estimated
/// as in physical_fit.h). The error for the wrong direction of gravity is much larger than that of
/// least squares, because the bodies would have to lie on the other side of their joints.
///
/// @param unexplained  [channels] for the first weights, from any fit
ConsistentScore scoreConsistently(const ChannelColumns& columns,
                                  const MotionStatistics& motion,
                                  const EffortStatistics& effort,
                                  const EffortAssignment& assignment,
                                  Eigen::VectorXd unexplained);

}  // namespace dynid
