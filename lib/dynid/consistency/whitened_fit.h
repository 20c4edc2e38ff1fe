#pragma once

#include "dynid/consistency/conic_problem.h"
#include "dynid/consistency/physical_fit.h"

#include <Eigen/Core>
#include <Eigen/QR>

#include <vector>

namespace dynid {

/// A physical fit scaled to numbers of the order of one: P_k = C_k (Q_k + margin 1) C_k^T with C_k
/// C_k^T = sigma prior_k, friction and drive columns scaled, everything divided by ||z||, free
/// columns eliminated, rows compressed to the rank.
struct WhitenedFit {
  ConicProblem conic;  ///< row 0 of C: the trace bound; then the user's rows, normalised
  std::vector<Eigen::Matrix4d> whitening;  ///< C_k
  Eigen::VectorXd scalar_scales;           ///< value of a scalar per unit of its coordinate
  Eigen::VectorXd row_scales;              ///< user's row = row_scales(i) * row of conic.C (i + 1)
  double margin = 0.0;
  double prior_scale = 1.0;  ///< sigma
  double z_norm = 1.0;       ///< objective of the user = z_norm^2 * conic objective
  int rank = 0;              ///< free columns included
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> free_columns;  ///< factorised
};

/// Whitens the problem. Its rank counts pivots above 1e-11 of the largest one; the pivots of scaled
/// columns have a wide gap at this value.
WhitenedFit whiten(const PhysicalFitProblem& problem, const PhysicalFitOptions& options);

}  // namespace dynid
