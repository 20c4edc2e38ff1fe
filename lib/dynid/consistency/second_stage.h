#pragma once

#include "dynid/consistency/conic_problem.h"

#include <Eigen/Core>

namespace dynid {

/// Result of closestToPrior.
struct SecondStageResult {
  Eigen::VectorXd x;       ///< empty if no point of the path was reached
  double objective = 0.0;  ///< f(x)
  double mu = 0.0;         ///< weight at which the search ended
  int iterations = 0;
  int fallback_steps = 0;
};

/// Finds, among all x of the problem with f(x) <= optimum + slack, the one closest to the identity
/// (the prior) in the log-det Bregman divergence sum_k (tr Q_k - log det Q_k) (Lee, Wensing, Park,
/// T-RO 36(2), 2020). Its Lagrangian
///
///     f(x) + mu (sum_k (tr Q_k - log det Q_k) + sum_j (s_j - log s_j) - sum_i log(d_i - C_i x))
///
/// defines an entropic central path on which f increases with mu. The path is followed from large
/// weights down until f uses 0.3 to 1 of the slack. `start` as for minimizeOnCone.
SecondStageResult closestToPrior(const ConicProblem& problem,
                                 double optimum,
                                 double slack,
                                 int max_iterations,
                                 const Eigen::VectorXd& start = {},
                                 int threads = 1);

}  // namespace dynid
