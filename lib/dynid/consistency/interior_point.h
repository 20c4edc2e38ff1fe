#pragma once

#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

namespace dynid {

struct InteriorPointOptions {
  double gap_tolerance = 1e-8;  ///< certified gap / max(f, floor) to stop at
  int max_iterations = 60;
  Eigen::VectorXd
      start;  ///< a point inside the cone to start from; empty: a multiple of the identity
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

/// Share of the present complementarity to aim at, without a predictor: the more of the last step
/// was possible, the farther the next one aims.
double centeringParameter(double last_step);

}  // namespace dynid
