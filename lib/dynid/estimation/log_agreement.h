#pragma once

#include "dynid/estimation/block_clusters.h"
#include "dynid/estimation/least_squares.h"
#include "dynid/regression/statistics.h"

#include <vector>

namespace dynid {

/// One parameter as one log and the other logs have it.
struct ParameterDifference {
  int position = 0;  ///< in the columns of the estimate
  double value = 0.0, other_value = 0.0;
  double std_dev = 0.0;      ///< of the difference
  double deviations = 0.0;   ///< |value - other_value| / std_dev
  bool significant = false;  ///< beyond what chance does in one of 20 comparisons of all parameters
};

/// How well the parameters of one log agree with those of the other logs.
struct LogAgreement {
  int log = 0;           ///< against all others
  int compared = 0;      ///< parameters that both sides determine
  double ratio = 0.0;    ///< root mean square of `deviations`: 1 where the intervals are right
  double outside = 0.0;  ///< share of parameters outside the 95 % interval of the difference
  bool differs = false;  ///< by more than the intervals allow
  std::vector<ParameterDifference> largest;  ///< significant ones, else the three largest
};

/// Fits every log by itself and all other logs together, with the same columns and channel noise,
/// and compares the parameters with the cluster-robust standard deviations of both:
///
///     deviations = |b_1 - b_2| / sqrt(v_1 + v_2)
///
/// against Student's quantile with the degrees of freedom of v_1 + v_2 (Welch, Biometrika 34,
/// 1947). Two logs are one comparison. A log differs where `ratio` exceeds 1.5, more than 15 % of
/// the parameters lie outside (5 % are expected; the parameters of one log depend on each other),
/// or a difference is significant after Bonferroni's correction.
///
/// @returns one entry per log; none for a single log, for more than 16 logs, or where a log has too
/// few rows
std::vector<LogAgreement> compareLogs(const Statistics& statistics,
                                      const Estimate& estimate,
                                      const LeastSquaresOptions& options,
                                      const BlockClusters& clusters);

}  // namespace dynid
