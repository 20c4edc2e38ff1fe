#pragma once

#include "dynid/consistency/conic_problem.h"
#include "dynid/consistency/interior_point.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// A point of the fit with a prior of given strength.
struct PriorFitResult {
  Eigen::VectorXd x;   ///< strictly inside the cone; empty if none was reached
  Eigen::VectorXd u;   ///< multipliers of the rows of A, near b - A x
  Eigen::VectorXd nu;  ///< multipliers of C, row 0 (trace) included
  double weight = 0.0;
  double objective = 0.0;  ///< F(x)
  double gap = 0.0;        ///< certified: F(x) - min F is at most this
  bool converged = false;
  int iterations = 0;
  int fallback_steps = 0;
};

/// Minimises
///
///     F(x) = 1/2 ||A x - b||^2 + c0 + weight sum_k (tr Q_k - log det Q_k)
///
/// over the cone and the bounds of the problem: the data term plus the log-det Bregman divergence
/// of every body from its prior (the identity). Scalars and bounds have no prior: their barrier
/// goes to zero, that of the bodies to `weight`. F is strictly convex in the bodies, so that the
/// result does not depend on the path.
///
/// @param weights  positive, descending; each fit starts at the result of the previous one
/// @param options  gap_tolerance relative to max(F, floor); max_iterations per weight
/// @returns one result per weight; those after the first failure are empty
std::vector<PriorFitResult> fitWithPrior(const ConicProblem& problem,
                                         const std::vector<double>& weights,
                                         const InteriorPointOptions& options);

/// F of fitWithPrior; infinite outside the cone.
double priorObjective(const ConicProblem& problem, double weight, const Eigen::VectorXd& x);

/// Weak duality: upper bound of F(x) - min F, for all x inside cone and bounds, u and nu >= 0. With
/// M = C^T nu - A^T u, and delta >= 0 added to the multiplier of the trace row so that M
/// is not negative at the scalars,
///
///     min F >= 1/2 ||b||^2 - 1/2 ||b - u||^2 + c0 - nu^T d
///              + weight sum_k (4 + log det (1 + M_k / weight)),
///
/// because min over Q > 0 of <B, Q> - weight log det Q = weight (4 + log det (B / weight)).
/// Infinite if 1 + M_k / weight is not positive definite.
double priorGap(const ConicProblem& problem,
                double weight,
                const Eigen::VectorXd& x,
                const Eigen::VectorXd& u,
                const Eigen::VectorXd& nu);

}  // namespace dynid
