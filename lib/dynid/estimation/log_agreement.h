#pragma once

#include "dynid/estimation/block_clusters.h"
#include "dynid/estimation/least_squares.h"
#include "dynid/regression/statistics.h"

#include <optional>
#include <vector>

namespace dynid {

/// One parameter as identified from one log and from the other logs.
struct ParameterDifference {
  int position = 0;  ///< index in the columns of the estimate
  double value = 0.0, other_value = 0.0;
  double std_dev = 0.0;     ///< of the difference
  double deviations = 0.0;  ///< |value - other_value| / std_dev
  /// Beyond what chance produces in one of 20 comparisons of all parameters
  bool significant = false;
};

/// Agreement of the parameters of one log with those of the other logs.
struct LogAgreement {
  int log = 0;       ///< index of the log, compared with all others
  int compared = 0;  ///< parameters that both sides determine
  /// Root mean square of `deviations`; 1 if the confidence intervals are right
  double ratio = 0.0;
  double outside = 0.0;  ///< fraction of parameters outside the 95 % interval of the difference
  bool differs = false;  ///< whether the difference is larger than the intervals explain
  std::vector<ParameterDifference> largest;  ///< the significant ones, or else the three largest
  /// [channels] efforts by which the fit b of all logs misses the fits b_1, b_2 of the two sides,
  /// ||Y (b - b_i)|| / ||tau|| over the rows of both. Logs that hold another truth raise it; logs
  /// that say little about a parameter do not.
  Eigen::VectorXd apart;
  Eigen::VectorXd residual;  ///< [channels] ||tau - Y b_i|| / ||tau||, likewise
  double split = 0.0;        ///< compareParts: share of the log that is the first part
};

/// Fits every log by itself and all other logs together, with the same columns and channel noise,
/// and compares the parameters b with their cluster-robust variances v:
///
///     deviations = |b_1 - b_2| / sqrt(v_1 + v_2)
///
/// with Student's quantile for the degrees of freedom of v_1 + v_2 (Welch, Biometrika 34, 1947).
/// Parameters with a relative pivot below 1e-4 on one side, and those that are combined with them,
/// are left out. For two logs there is one comparison. A log differs if `ratio` exceeds 1.5 and
/// what chance allows (chi-squared), if at least four and more than 15 % of the parameters lie
/// outside their interval (5 % are expected, but the parameters of a log are correlated) with a
/// `ratio` above 1.2, or if a difference is significant. Bonferroni's correction is for all
/// parameters of all comparisons.
///
/// @returns one entry per log; none for a single log, for more than 16 logs, or if a log has too
///     few rows
std::vector<LogAgreement> compareLogs(const Statistics& statistics,
                                      const Estimate& estimate,
                                      const LeastSquaresOptions& options,
                                      const BlockClusters& clusters);

/// Compares the first half of the blocks of a single log with the second half, as compareLogs does
/// with two logs. If one fit misses theirs by more than 2 % of an effort, from sixteen blocks on
/// also the first quarter, and the first three quarters, with the rest; of these splits the one
/// whose parts are furthest apart is returned, the halves unless another is 1.5 times as far.
/// @returns nothing for several logs, for a log of fewer than eight blocks, and if no parameter
///     differs by more than five standard deviations of white noise
std::optional<LogAgreement> compareParts(const Statistics& statistics,
                                         const Estimate& estimate,
                                         const LeastSquaresOptions& options,
                                         const BlockClusters& clusters);

}  // namespace dynid
