#pragma once

#include <Eigen/Core>

#include <span>
#include <vector>

namespace dynid {

/// Second moments of one channel over one part of a log: of its regressor rows Y [N,p] and of its
/// effort at K time shifts, e_k = tau(t + (k - (K - 1) / 2) step). Both are filtered in the same
/// way.
struct ShiftMoments {
  Eigen::MatrixXd gram;  ///< [(p + K) x (p + K)] of [Y | e_0 ... e_(K-1)]
  double rows = 0.0;     ///< N

  ShiftMoments& operator+=(const ShiftMoments& other);
};

/// Delay of the efforts of a log relative to its motion.
struct EffortDelay {
  double delay = 0.0;    ///< [s] positive if efforts are late
  double std_dev = 0.0;  ///< [s] from leaving out one part after the other (jackknife)
  /// Whether the minimum of the error lies inside the range of shifts. If not, it lies at the end
  /// of the range and `delay` is not an estimate.
  bool inside_range = true;
  Eigen::VectorXd channel_delay;    ///< [channels] s, for each channel alone
  Eigen::VectorXd channel_std_dev;  ///< [channels] s
  /// [channels] ratio of root mean square errors with and without removal of the delay, on parts
  /// that the fit has not seen.
  Eigen::VectorXd error_ratio;
};

/// The common delay d of all channels for which least squares fits best,
///     min over d, beta_a  sum_a N_a / 2 log |tau_a(t + d) - Y_a beta_a|^2.
/// The parameters beta_a of every channel are eliminated at each d; errors that a wrong delay
/// causes in them have no influence. Between the shifts, efforts are interpolated by Lagrange's
/// formula with six points. With a step of 1/16 of the period of the cut-off frequency, the
/// interpolation error is 1e-5.
///
/// @param channels  [channels][parts] moments; the parts of a channel are consecutive sections of
///     the log, at least two
/// @param shifts    K, odd, at least 7
/// @param step      [s]
EffortDelay estimateEffortDelay(std::span<const std::vector<ShiftMoments>> channels,
                                Eigen::Index shifts,
                                double step);

}  // namespace dynid
