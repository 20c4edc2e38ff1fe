#pragma once

#include "dynid/consistency/physical_fit_result.h"
#include "dynid/spatial/inertia.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Friction columns of one actuator whose sum must dissipate energy: rows * x(columns) >= 0.
struct PassiveGroup {
  std::string name;          ///< for messages: "friction of elbow_joint"
  std::vector<int> columns;  ///< of x, nonnegative and free ones
  /// [speeds and further x columns] effort against the motion per unit, and further rows whose
  /// product with x(columns) must not be negative
  Eigen::MatrixXd rows;
  Eigen::VectorXd speeds;            ///< of the first rows [rad/s or m/s]
  std::vector<std::string> further;  ///< names of the rows after those of the speeds
};

/// The regression to fit, over standard parameters x = (10 per body, nonnegative scalars, free
/// scalars):
///
///     min ||R x - z||^2 + residual_squared
///     subject to  pseudoInertia(body k) >= 0,  nonnegative scalars >= 0,  C x <= d.
///
/// Rows are whitened (unit noise). R may be a triangular factor of the samples or any stack of
/// rows.
///
/// The friction of an actuator is passive if the effort against the motion is not negative at any
/// speed. This includes its free parameters (PassiveGroup).
struct PhysicalFitProblem {
  Eigen::MatrixXd R;  ///< [rows x (10 bodies + nonnegative + free)]
  Eigen::VectorXd z;  ///< [rows]
  /// columns 10 k ... 10 k + 9: m, mx, ..., Izz of body k about its frame's origin
  int bodies = 0;
  int nonnegative = 0;          ///< then viscous and Coulomb friction, drive inertias ...
  int free = 0;                 ///< then offsets ...
  double residual_squared = 0;  ///< squared residual of the samples that R and z do not contain
  double rows = 0;              ///< number of sample rows behind R; 0: R.rows()
  std::vector<InertialParameters> prior;  ///< one per body, strictly inside the cone: scale of the
                                          ///< problem, and target of the second stage
  Eigen::MatrixXd C;                      ///< [bounds x (10 bodies + nonnegative)]; see bounds.h
  Eigen::VectorXd d;                      ///< [bounds]
  std::vector<std::string> bound_names;   ///< one per row of C
  std::vector<PassiveGroup> passive;
  /// [free]; empty: none. The fit with a prior of weight w adds 1/2 w sum (free_prior_j x_j)^2, a
  /// prior at zero for springs and counterbalances, because poor motion cannot distinguish them
  /// from gravity.
  Eigen::VectorXd free_prior;
  /// The links' prior masses are those of a description: they are not rescaled unless the data
  /// clearly contradict them (prior_scale.h).
  bool trust_prior_scale = false;
  int payloads = 0;  ///< number of payloads, the last of the bodies; their prior is not rescaled
  /// False: z has an unknown factor, and so have all parameters and the prior, payloads included.
  bool scale_known = true;
};

/// Settings of solvePhysicalFit.
struct PhysicalFitOptions {
  /// P_k >= margin * sigma * prior_k, in [0, 1). With zero the solution may touch the boundary of
  /// the cone (as in other solvers). The default keeps inertias usable in simulators at a cost of
  /// 1e-5 to 1e-4 of the objective.
  double margin = 1e-3;
  /// Choose the parameters closest to the prior among all whose objective is within one unit of
  /// chi-square of the optimum.
  bool second_stage = true;
  /// Weight of the prior in units of f (1/2 chi-square). If positive, the second stage is
  ///
  ///     min f(x) + w sum_k D(P_k || prior_k),   D the log-det Bregman divergence,
  ///
  /// with a separate certificate. 0: the second stage stops at one unit of chi-square.
  double prior_weight = 0.0;
  /// Certified gap / max(f, 1e-6 * 1/2 ||z||^2) at which the fit counts as converged. Positive.
  double gap_tolerance = 1e-8;
  /// Interior-point steps of one solve; 10 to 20 are usual. Positive.
  int max_iterations = 60;
  /// Bound on the size of the solution, sum tr(P_k (sigma prior_k)^-1) + scaled scalars <= tau (4
  /// bodies + nonnegative). Without it, masses that the data do not determine may become infinite.
  /// At least 2.
  double tau = 10.0;
  /// Whether the fit widens this bound where the prior is far too small (first_stage.h).
  bool widen_tau = true;
  int threads = 1;  ///< the result does not depend on it

  /// @throws std::invalid_argument naming the wrong setting and its value
  void check() const;
};

/// Computes the globally optimal physically consistent fit and its certificate.
///
/// Interior-point method on the Nesterov-Todd central path (CentralPath). Predictor and corrector
/// of each step are Levenberg-Marquardt steps in scaled coordinates with trust-region radius one.
/// The second stage, if enabled, finds the point closest to the prior in the log-det Bregman
/// divergence among all with f <= f* + f/(rows - rank).
///
/// Friction groups: rows that the optimum violates are added as bounds until it violates none; the
/// certificate of the last problem then holds for all rows.
///
/// Contradictory bounds and failures of convergence are results (`feasible`, `converged`,
/// `reason`).
/// @throws std::invalid_argument for inconsistent sizes, numbers that are not finite, or a prior
/// that is not a body
///
/// Sources: pseudo-inertia cone: Wensing, Kim, Slotine, RA-L 3(1), 2018, eq. 12; convex fit: Sousa,
/// Cortesao, IJRR 33(6), 2014; prior: Lee, Wensing, Park, T-RO 36(2), 2020; scaling: Nesterov,
/// Todd, SIAM J. Optim. 8(2), 1998; predictor and corrector: Mehrotra, SIAM J. Optim. 2(4), 1992.
PhysicalFitResult solvePhysicalFit(const PhysicalFitProblem& problem,
                                   const PhysicalFitOptions& options = {});

/// The fits with priors of the given weights (descending), for cross-validation: x of each fit,
/// empty if it failed.
/// @param passivity  rows of the friction groups that hold in addition to nonnegative columns
/// @param tolerance  of the gap, relative to the objective
std::vector<Eigen::VectorXd> fitPriors(const PhysicalFitProblem& problem,
                                       const PhysicalFitOptions& options,
                                       const std::vector<double>& weights,
                                       const std::vector<PassivityRow>& passivity,
                                       double tolerance);

}  // namespace dynid
