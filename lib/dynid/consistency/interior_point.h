#pragma once

#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

namespace dynid {

/// Settings of minimizeOnCone.
struct InteriorPointOptions {
  double gap_tolerance = 1e-8;  ///< certified gap / max(f, floor) at which the iteration stops
  int max_iterations = 60;
  /// A point inside the cone to start from; empty: a multiple of the identity
  Eigen::VectorXd start;
  int threads = 1;  ///< the result does not depend on it
};

/// Result of minimizeOnCone; for the symbols see ConicProblem and duality_gap.h.
struct InteriorPointResult {
  Eigen::VectorXd x;   ///< last strictly feasible point; empty if none was reached
  Eigen::VectorXd u;   ///< multipliers of the residual rows
  Eigen::VectorXd nu;  ///< multipliers of C, row 0 (trace) included
  double objective = 0.0;
  double gap = 0.0;  ///< certified: objective - optimum is at most this
  double trace_multiplier = 0.0;
  bool converged = false;
  int iterations = 0;
  int fallback_steps = 0;
};

/// Minimises along the Nesterov-Todd central path from an infeasible start (CentralPath). Stops at
/// the certified gap, if there is no more progress, or at the iteration limit. Returns the iterate
/// with the best certificate among the last ones, even if the tolerance is not reached.
InteriorPointResult minimizeOnCone(const ConicProblem& problem,
                                   const InteriorPointOptions& options);

}  // namespace dynid
