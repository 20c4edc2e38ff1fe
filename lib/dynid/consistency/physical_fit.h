#pragma once

#include "dynid/consistency/certificate.h"
#include "dynid/spatial/inertia.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Friction columns of one actuator whose sum must take energy from the motion: rows * x(columns)
/// >= 0.
struct PassiveGroup {
  std::string name;          ///< in messages: "friction of elbow_joint"
  std::vector<int> columns;  ///< of x, nonnegative and free ones
  Eigen::MatrixXd rows;      ///< [speeds x columns] effort against the motion per unit
  Eigen::VectorXd speeds;    ///< of the rows [rad/s or m/s]
};

/// The regression to fit, over standard parameters x = (10 a body, nonnegative scalars, free
/// scalars):
///
///     min ||R x - z||^2 + residual_squared
///     subject to  pseudoInertia(body k) >= 0,  nonnegative scalars >= 0,  C x <= d.
///
/// Rows are whitened (unit noise). R may be a triangular factor of the samples or any stack of
/// rows.
///
/// Friction of an actuator is passive where the effort against the motion is not negative at any
/// speed; its free parameters take part in it (PassiveGroup).
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
  std::vector<PassiveGroup> passive;
  /// [free], empty: none. The fit with a prior of weight w adds 1/2 w sum (free_prior_j x_j)^2: a
  /// prior at zero for springs and counterbalances, which stand in for gravity where motion is
  /// poor.
  Eigen::VectorXd free_prior;
  /// The prior's masses are taken as they are where the data put their scale between 0.77 and 1.3.
  bool trust_prior_scale = false;
};

struct PhysicalFitOptions {
  /// P_k >= margin * sigma * prior_k. In [0, 1). Zero to touch the boundary of the cone (as other
  /// solvers do); the default keeps inertias usable in simulators at 1e-5 to 1e-4 of the objective.
  double margin = 1e-3;
  /// Choose, among all parameters as good as the optimum to one unit of chi-square, those closest
  /// to the prior.
  bool second_stage = true;
  /// Weight of the prior in units of f (1/2 chi-square), above zero; then the second stage is
  ///
  ///     min f(x) + w sum_k D(P_k || prior_k),   D the log-det Bregman divergence,
  ///
  /// with a certificate of its own. 0: the second stage stops at one unit of chi-square.
  double prior_weight = 0.0;
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

/// Name of the bound on the overall size, which the program adds by itself.
inline constexpr const char* kOverallSizeBound = "overall size";

/// What a bound did.
struct BoundReport {
  std::string name;
  double value = 0.0;       ///< C_i x of the final parameters, in the units of the row
  double limit = 0.0;       ///< d_i
  bool active = false;      ///< the optimum rests on it
  double multiplier = 0.0;  ///< -d objective_optimal / d limit, >= 0
};

/// A row of a friction group.
struct PassivityRow {
  int group = 0;
  Eigen::Index row = 0;
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
  double second_stage_cost = 0.0;   ///< objective - objective_optimal
  double prior_weight = 0.0;        ///< of the second stage; 0: it had none
  double prior_relative_gap = 0.0;  ///< certified, of the fit with this prior
  double min_eigenvalue = 0.0;      ///< smallest eigenvalue of all pseudo-inertias of x
  double prior_scale =
      1.0;       ///< sigma: the prior's masses times this explain the data best, within [0.05, 20]
  int rank = 0;  ///< of R, free columns included
  int iterations = 0;               ///< interior-point steps of both stages
  int fallback_steps = 0;           ///< of them solved with the stacked rows
  double seconds = 0.0;             ///< CPU time of this thread
  std::vector<BoundReport> bounds;  ///< the rows of C, then the bound tau
  /// [bodies] share of what is known about each mass that the data tell, the rest being the prior;
  /// empty without a fit with prior.
  std::vector<double> mass_from_data;
  /// [bodies] how much of f the physical consistency of each body costs to first order if its
  /// pseudo-inertia had to be larger by the prior's: which body holds the fit off the data.
  Eigen::VectorXd body_multipliers;
  Certificate certificate;
  std::vector<PassivityRow> passivity;  ///< the rows of friction groups that were needed
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
///
/// Friction groups are met by adding the rows that the optimum violates until it violates none: the
/// certificate of the last problem then holds for all rows.
PhysicalFitResult solvePhysicalFit(const PhysicalFitProblem& problem,
                                   const PhysicalFitOptions& options = {});

/// The fits with priors of these weights (descending), for cross-validation: x of each, empty where
/// a fit failed; met to 1e-4 of the objective.
/// @param passivity  rows of the friction groups that hold in addition to nonnegative columns
std::vector<Eigen::VectorXd> fitPriors(const PhysicalFitProblem& problem,
                                       const PhysicalFitOptions& options,
                                       const std::vector<double>& weights,
                                       const std::vector<PassivityRow>& passivity);

}  // namespace dynid
