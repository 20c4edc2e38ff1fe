#pragma once

#include "dynid/consistency/conic_problem.h"
#include "dynid/consistency/physical_fit.h"

#include <Eigen/Core>
#include <Eigen/QR>

#include <vector>

namespace dynid {

/// A physical fit scaled to numbers of the order of one: P_k = C_k (Q_k + m' 1) C_k^T with C_k
/// C_k^T = (1 - m) sigma prior_k (payloads in known units: without sigma) and m' = m / (1 - m), m
/// the margin of the options. Q_k = 1 is the prior itself and Q_k >= 0 is P_k >= m sigma prior_k.
/// Friction and drive columns are scaled, everything is divided by ||z||, free columns are
/// eliminated, rows are compressed to the rank.
struct WhitenedFit {
  ConicProblem conic;  ///< row 0 of C: the trace bound; then the user's rows, normalised
  std::vector<Eigen::Matrix4d> whitening;  ///< C_k
  Eigen::VectorXd scalar_scales;           ///< value of a scalar per unit of its coordinate
  Eigen::VectorXd row_scales;              ///< user's row = row_scales(i) * row of conic.C (i + 1)
  double margin = 0.0;                     ///< m'
  double prior_scale = 1.0;                ///< sigma
  double z_norm = 1.0;                     ///< objective of the user = z_norm^2 * conic objective
  int rank = 0;                            ///< free columns included
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> free_columns;  ///< factorised
};

/// Whitens the problem with the factor `prior_scale` on the prior, usually that of priorScale().
/// Its rank counts pivots above 1e-11 of the largest one; the pivots of scaled columns have a wide
/// gap at this value.
WhitenedFit whiten(const PhysicalFitProblem& problem,
                   const PhysicalFitOptions& options,
                   double prior_scale);

}  // namespace dynid
