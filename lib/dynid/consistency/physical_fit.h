#pragma once

#include "dynid/consistency/certificate.h"
#include "dynid/spatial/inertia.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// The regression to fit, over standard parameters x = (10 a body, nonnegative scalars, free
/// scalars):
///
///     min ||R x - z||^2 + residual_squared
///     subject to  pseudoInertia(body k) >= 0,  nonnegative scalars >= 0,  C x <= d.
///
/// Rows are whitened (unit noise). R may be a triangular factor of the samples or any stack of
/// rows.
struct PhysicalFitProblem {
  Eigen::MatrixXd R;  ///< [rows x (10 bodies + nonnegative + free)]
  Eigen::VectorXd z;  ///< [rows]
  int bodies =
      0;  ///< columns 10 k ... 10 k + 9: m, mx, ..., Izz of body k about its frame's origin
  int nonnegative = 0;          ///< then viscous and Coulomb friction, drive inertias ...
  int free = 0;                 ///< then offsets ...
  double residual_squared = 0;  ///< squared residual of the samples that R and z do not hold
  double rows = 0;              ///< number of sample rows behind R; 0: R.rows()
  std::vector<InertialParameters>
      prior;          ///< one a body, strictly inside the cone: scale, and aim of the second stage
  Eigen::MatrixXd C;  ///< [bounds x (10 bodies + nonnegative)]; see bounds.h
  Eigen::VectorXd d;  ///< [bounds]
  std::vector<std::string> bound_names;  ///< one a row of C
};

struct PhysicalFitOptions {
  /// P_k >= margin * sigma * prior_k. In [0, 1). Zero to touch the boundary of the cone (as other
  /// solvers do); the default keeps inertias usable in simulators at 1e-5 to 1e-4 of the objective.
  double margin = 1e-3;
  /// Choose, among all parameters as good as the optimum to one unit of chi-square, those closest
  /// to the prior.
  bool second_stage = true;
  /// Certified gap / max(f, 1e-6 * 1/2 ||z||^2) at which the fit counts as converged. Positive.
  double gap_tolerance = 1e-8;
  /// Interior-point steps of one solve; 20 are usual. Positive.
  int max_iterations = 60;
  /// Bound on the size of the answer, sum tr(P_k (sigma prior_k)^-1) + scaled scalars <= tau (4
  /// bodies + nonnegative): without a bound masses that the data do not see may run to infinity.
  /// Larger where the prior is very far off and the report says that this bound is active. At
  /// least 2.
  double tau = 10.0;

  /// Throws std::invalid_argument naming the bad field and its value.
  void check() const;
};

/// What a bound did.
struct BoundReport {
  std::string name;
  double value = 0.0;       ///< C_i x of the final parameters, in the units of the row
  double limit = 0.0;       ///< d_i
  bool active = false;      ///< the optimum rests on it
  double multiplier = 0.0;  ///< -d objective_optimal / d limit, >= 0
};

struct PhysicalFitResult {
  bool feasible = false;          ///< x meets every constraint
  bool converged = false;         ///< feasible, and the certified gap is within the tolerance
  std::string reason;             ///< why not; or what the user should know of a converged fit
  Eigen::VectorXd x;              ///< [10 bodies + nonnegative + free] final; empty if not feasible
  Eigen::VectorXd x_first_stage;  ///< the optimum itself
  /// f = 1/2 (||R x - z||^2 + residual_squared), minimised over the free columns, at x_first_stage.
  double objective_optimal = 0.0;
  double objective = 0.0;  ///< f at x
  double relative_duality_gap =
      0.0;  ///< of the first stage on the cone shifted by the margin, certified
  double margin = 0.0;
  double margin_cost =
      0.0;  ///< the margin raised f by at most this (first order, from the multipliers)
  double second_stage_cost = 0.0;  ///< objective - objective_optimal
  double min_eigenvalue = 0.0;     ///< smallest eigenvalue of all pseudo-inertias of x
  double prior_scale =
      1.0;       ///< sigma: the prior's masses times this explain the data best, within [0.05, 20]
  int rank = 0;  ///< of R, free columns included
  int iterations = 0;               ///< interior-point steps of both stages
  int fallback_steps = 0;           ///< of them solved with the stacked rows
  double seconds = 0.0;             ///< CPU time of this thread
  std::vector<BoundReport> bounds;  ///< the rows of C, then the bound tau
  Certificate certificate;
};

/// The globally optimal physically consistent fit, with proof.
///
/// Interior-point method on the Nesterov-Todd central path; each step is one Levenberg-Marquardt
/// step of Ceres in scaled coordinates with trust-region radius one. Then, if wanted, the point
/// closest to the prior in the log-det Bregman divergence among all with f <= f* + f/(rows - rank).
///
/// Throws std::invalid_argument for inconsistent sizes, numbers that are not finite, or a prior
/// that is no body. Contradictory bounds and failures of convergence are results (`feasible`,
/// `converged`, `reason`), never a fallback.
///
/// Sources: pseudo-inertia cone: Wensing, Kim, Slotine, RA-L 3(1), 2017, eq. 12; convex fit: Sousa,
/// Cortesao, IJRR 33(6), 2014; prior: Lee, Wensing, Park, T-RO 36(3), 2020; scaling: Nesterov,
/// Todd, SIAM J. Optim. 8(2), 1998.
PhysicalFitResult solvePhysicalFit(const PhysicalFitProblem& problem,
                                   const PhysicalFitOptions& options = {});

}  // namespace dynid
