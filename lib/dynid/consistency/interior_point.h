#pragma once

#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

namespace dynid {

struct InteriorPointOptions {
  double gap_tolerance = 1e-8;  ///< certified gap / max(f, floor) to stop at
  int max_iterations = 60;
};

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

/// Minimises along the Nesterov-Todd central path, infeasible start, no predictor (each step is its
/// own Ceres solve). Stops at the certified gap, when progress ends, or at the iteration limit.
/// Among the last iterates the one with the best certificate is returned, whether or not the
/// tolerance is met.
InteriorPointResult minimizeOnCone(const ConicProblem& problem,
                                   const InteriorPointOptions& options);

/// The entropic path's point
///     min f(x) + mu sum_k (tr Q_k - log det Q_k) + mu sum_j (s_j - log s_j) - mu sum_i log(d_i -
///     C_i x),
/// to two digits of mu. `gap` is not computed; `x` is empty if the point was not reached.
InteriorPointResult entropicPoint(const ConicProblem& problem, double mu, int max_iterations);

}  // namespace dynid
