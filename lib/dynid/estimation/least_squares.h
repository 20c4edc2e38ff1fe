#pragma once

#include "dynid/estimation/residual.h"
#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// The rows of one channel over some columns and the effort, each block multiplied by its weight.
struct WeightedRows {
  std::vector<int> columns;    ///< of the layout, without the effort
  Eigen::RowVectorXd weights;  ///< of the blocks
  double standstill_weight = 0.0;
  TriangularFactor factor;
};

/// Per channel. Fits of the same statistics share the rows of channels that did not change.
using WeightedChannels = std::vector<std::shared_ptr<const WeightedRows>>;

/// Settings of the weighted least-squares fit on compressed statistics.
struct LeastSquaresOptions {
  /// Iterations of re-weighting by channel noise; two or three converge, one if `block_weights` are
  /// those of a similar fit. 0: the weights stay as given.
  int weight_passes = 3;
  /// Robust weights to begin with, of a fit to the same blocks; empty: ones
  BlockWeights block_weights;
  int threads = 1;     ///< the result does not depend on it
  bool robust = true;  ///< Huber weights for the blocks
  /// A block whose residual exceeds this multiple of the median is down-weighted.
  double huber = 2.5;
  /// Relative to whitened columns of unit norm: a column whose remainder is smaller counts as not
  /// excited, and its parameter is set to zero.
  double rank_tolerance = 1e-9;
  /// [channels] Factor of the rows at standstill; 0 or empty: they are left out.
  Eigen::VectorXd standstill_weight;
  /// Per block: excluded from the fit (cross-validation); empty: none
  std::vector<bool> leave_out;
  /// Largest ratio between the relative noise (noise / effort) of two channels. Without this limit
  /// a channel that fits almost exactly would dominate the fit, and parameters that only other
  /// channels determine would be lost to rounding.
  double noise_range = std::numeric_limits<double>::infinity();
  /// [channels] minimum effort of a channel in that comparison; empty: its measured effort. The
  /// effort of a wrench sensor may be zero (a point mass has no moment about itself, a base in free
  /// flight no wrench); this value keeps its weight bounded.
  Eigen::VectorXd typical_effort;
  /// [channels] known noise; empty: estimated by re-weighting.
  Eigen::VectorXd sigma;
  /// Of an earlier fit of the same statistics; empty: none. They save time; the result does not
  /// depend on them.
  WeightedChannels weighted_channels;
};

/// Result of weighted least squares over a selection of columns,
///
///     beta = argmin sum_a w_a^2 sum_b ||X_ab beta - tau_ab||^2,   w_a = 1 / sigma_a
///
/// over channels a and blocks b, with one noise variance per channel found by re-weighting
/// (feasible generalised least squares).
struct Estimate {
  std::vector<int> columns;  ///< of the layout; the order of beta
  Eigen::VectorXd beta;
  Eigen::VectorXd sigma;              ///< noise (standard deviation) of each channel
  BlockWeights block_weights;         ///< robust weights in [0, 1]
  Eigen::VectorXd standstill_weight;  ///< [channels] factor of the rows at standstill
  Eigen::MatrixXd R;                  ///< triangular factor of the whitened rows over `columns`
  /// Whitened right-hand side: the sum of squares is ||R beta - z||^2 + residual_squared
  Eigen::VectorXd z;
  double residual_squared = 0.0;
  double rows = 0.0;
  int rank = 0;
  WeightedChannels weighted_channels;  ///< the rows that R was computed from
  /// Positions in `columns` of parameters that the logs do not determine; their beta is zero.
  std::vector<int> unexcited;
  /// Positions of parameters that the logs determine only together with unexcited ones: their beta
  /// is that of a combination.
  std::vector<int> combined;
  std::string reason;  ///< "" or a description of the problem
};

/// The indices of the rows of R that contain more than rounding errors (1e-15 of the norm of each
/// column). A block with few samples fills few rows, whatever the number of columns.
std::vector<Eigen::Index> filledRows(const TriangularFactor& factor);

/// The condition number of the estimate's R with columns scaled to unit norm; infinite if R is rank
/// deficient.
/// @param statistics  of the estimate: columns without a common channel are independent
double conditionNumber(const Statistics& statistics, const Estimate& estimate);

/// Raises the noise of channels whose noise relative to their effort is less than 1 / range of the
/// largest such ratio.
/// @param range, typical_effort  as noise_range and typical_effort of LeastSquaresOptions
/// @param sigma  [channels] in: noise, out: raised noise
void limitNoiseRange(const Statistics& statistics,
                     double range,
                     const Eigen::VectorXd& typical_effort,
                     Eigen::VectorXd& sigma);

/// The whitened rows [columns, effort] of some blocks, compressed to one factor. Channel noise,
/// block weights and the weights of rows at standstill are those of the estimate.
/// @param wanted  one per block
TriangularFactor whitenedBlocks(const Statistics& statistics,
                                const Estimate& estimate,
                                const std::vector<bool>& wanted);

/// Fits the parameters of `columns` to the statistics.
/// @param columns  ascending columns of the layout, structurally independent
Estimate weightedLeastSquares(const Statistics& statistics,
                              const std::vector<int>& columns,
                              const LeastSquaresOptions& options = {});

}  // namespace dynid
