#pragma once

#include "dynid/estimation/residual.h"
#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <limits>
#include <string>
#include <vector>

namespace dynid {

/// Options of the weighted least-squares fit on compressed statistics.
struct LeastSquaresOptions {
  int weight_passes = 3;  ///< re-weighting by channel noise; two or three converge
  bool robust = true;     ///< Huber weights on the residual of blocks
  double huber =
      2.5;  ///< blocks whose residual exceeds this multiple of the median are down-weighted
  double rank_tolerance =
      1e-9;  ///< of the whitened columns scaled to unit norm; below: not excited, set to zero
  std::vector<bool>
      use_standstill;  ///< per channel: fit the rows at standstill too; empty: none of them
  std::vector<bool> leave_out;  ///< one a block: not in the fit (cross-validation); empty: none
  /// Relative noise of channels is taken to differ by this factor at most: beside a sensor that
  /// fits to rounding the others would not count at all, nor could the rest be told by their rows.
  double noise_range = std::numeric_limits<double>::infinity();
  /// [channels] effort that a channel counts as having at least, in that comparison; empty: what it
  /// has. A wrench sensor may feel nothing at all (a point mass has no moment about itself, a base
  /// in free flight no wrench), which is no reason to trust it without bounds.
  Eigen::VectorXd typical_effort;
  Eigen::VectorXd
      sigma;  ///< [channels] noise, where it is known already; empty: found by re-weighting
};

/// Weighted least squares over a selection of columns.
///
///     beta = argmin sum_a w_a^2 sum_b ||X_ab beta - tau_ab||^2,   w_a = 1 / sigma_a
///
/// with one noise variance a channel, found by re-weighting (feasible generalised least squares).
struct Estimate {
  std::vector<int> columns;  ///< of the layout; beta's order
  Eigen::VectorXd beta;
  Eigen::VectorXd sigma;              ///< noise of each channel
  BlockWeights block_weights;         ///< robust weights in [0, 1]
  std::vector<bool> uses_standstill;  ///< per channel: rows at standstill were fitted too
  Eigen::MatrixXd R;                  ///< triangular factor of the whitened stack over `columns`
  Eigen::VectorXd z;  ///< whitened right-hand side: ||R beta - z||^2 + residual_squared
  double residual_squared = 0.0;
  double rows = 0.0;
  int rank = 0;
  double condition_number =
      0.0;  ///< of R with columns scaled to unit norm; infinite if rank deficient
  std::vector<int>
      unexcited;  ///< positions in `columns` that the logs say nothing about (their beta is zero)
  std::string reason;  ///< "" or what is wrong
};

/// The rows of R that hold more than rounding (1e-15 of the norm of each column): a block with few
/// samples fills few rows, whatever the number of columns.
Eigen::MatrixXd filledRows(const TriangularFactor& factor);

/// Raises the noise of channels whose share of their effort is less than 1 / range of the largest.
/// @param typical_effort  as LeastSquaresOptions
void limitNoiseRange(const Statistics& statistics,
                     double range,
                     const Eigen::VectorXd& typical_effort,
                     Eigen::VectorXd& sigma);

/// The whitened rows of the fit [columns, effort] that belong to some blocks, compressed: channel
/// noise, block weights and rows at standstill as in the estimate.
/// @param wanted  one per block
TriangularFactor whitenedBlocks(const Statistics& statistics,
                                const Estimate& estimate,
                                const std::vector<bool>& wanted);

/// @param columns  ascending columns of the layout, structurally independent
Estimate weightedLeastSquares(const Statistics& statistics,
                              const std::vector<int>& columns,
                              const LeastSquaresOptions& options = {});

}  // namespace dynid
