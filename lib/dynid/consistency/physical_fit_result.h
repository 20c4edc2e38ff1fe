#pragma once

#include "dynid/consistency/certificate.h"

#include <Eigen/Core>

#include <string>
#include <vector>

namespace dynid {

/// Name of the bound on the overall size, which dynid adds to those of the user.
inline constexpr const char* kOverallSizeBound = "overall size";
/// Beginning of the names of the bounds by which friction cannot push; the drive's name follows.
inline constexpr const char* kFrictionBound = "friction of ";
/// Beginning of the names of the bounds on Stribeck curves; the drive's name follows.
inline constexpr const char* kStribeckBound = "height of the Stribeck curve of ";
/// Beginning of the names of the bounds on the sum of the masses.
inline constexpr const char* kTotalMassBound = "total mass";

/// State of a bound at the solution.
struct BoundReport {
  std::string name;
  double value = 0.0;       ///< C_i x of the final parameters, in the units of the row
  double limit = 0.0;       ///< d_i
  bool active = false;      ///< satisfied with equality at the optimum
  double multiplier = 0.0;  ///< -d objective_optimal / d limit, >= 0
};

/// A violated row of a friction group.
struct PassivityRow {
  int group = 0;         ///< index into PhysicalFitProblem::passive
  Eigen::Index row = 0;  ///< of the group
};

/// A physically consistent fit. x: the standard parameters (ten per body, nonnegative scalars, free
/// scalars); R, z, C, d: the regression and the bounds of the PhysicalFitProblem.
struct PhysicalFitResult {
  bool feasible = false;          ///< x satisfies every constraint
  bool converged = false;         ///< feasible, and the certified gap is within the tolerance
  std::string reason;             ///< why it did not converge, or a remark on a converged fit
  Eigen::VectorXd x;              ///< [10 bodies + nonnegative + free] final; empty if not feasible
  Eigen::VectorXd x_first_stage;  ///< the optimum itself
  /// f = 1/2 (||R x - z||^2 + residual_squared), minimised over the free columns, at x_first_stage.
  double objective_optimal = 0.0;
  double objective = 0.0;  ///< f at x
  /// Of the first stage, on the cone shifted by the margin, certified
  double relative_duality_gap = 0.0;
  double margin = 0.0;  ///< P_k >= margin * prior_scale * prior of body k (payloads: without scale)
  /// Upper bound of the increase of f by the margin (first order, from the multipliers)
  double margin_cost = 0.0;
  double second_stage_cost = 0.0;   ///< objective - objective_optimal
  double prior_weight = 0.0;        ///< of the second stage; 0: no prior was used
  double prior_relative_gap = 0.0;  ///< certified, of the fit with this prior
  double min_eigenvalue = 0.0;      ///< smallest eigenvalue of all pseudo-inertias of x
  double prior_scale = 1.0;  ///< sigma: the factor on the links' prior that explains the data best
  double tau = 0.0;          ///< that of the options, or what the fit widened it to
  int rank = 0;              ///< of R, free columns included
  int iterations = 0;        ///< interior-point steps of both stages
  int fallback_steps = 0;    ///< number of them solved with the stacked rows
  double seconds = 0.0;      ///< CPU time of this thread
  std::vector<BoundReport> bounds;  ///< the rows of C, then the bound tau
  /// [bodies] share of the information about each mass that comes from the data, not from the
  /// prior; empty without a fit with prior.
  std::vector<double> mass_from_data;
  /// [bodies] first-order increase of f if the body's pseudo-inertia had to be larger by that of
  /// the prior: shows which body's consistency raises the residual.
  Eigen::VectorXd body_multipliers;
  Certificate certificate;
  std::vector<PassivityRow> passivity;  ///< the rows of friction groups that were added as bounds
};

}  // namespace dynid
