#pragma once

#include <Eigen/Core>

#include <span>
#include <vector>

namespace dynid {

/// Second moments of one channel over one part of a log: of its regressor rows Y [N,p] and of its
/// effort at K shifts, e_k = tau(t + (k - (K - 1) / 2) step), filtered alike.
struct ShiftMoments {
  Eigen::MatrixXd gram;  ///< [(p + K) x (p + K)] of [Y | e_0 ... e_(K-1)]
  double rows = 0.0;     ///< N

  ShiftMoments& operator+=(const ShiftMoments& other);
};

/// How late the efforts of a log are against its motion.
struct EffortDelay {
  double delay = 0.0;    ///< s, positive if efforts are late
  double std_dev = 0.0;  ///< s, from leaving out one part after the other (jackknife)
  /// The error is least inside the range of shifts. False: at its end; `delay` is then no estimate.
  bool inside_range = true;
  Eigen::VectorXd channel_delay;    ///< [channels] s, of each channel alone
  Eigen::VectorXd channel_std_dev;  ///< [channels] s
  /// [channels] root mean square error of parts that the fit has not seen, with the delay taken
  /// back relative to without.
  Eigen::VectorXd error_ratio;
};

/// The common delay d of all channels that lets least squares fit best,
///     min over d, beta_a  sum_a N_a / 2 log |tau_a(t + d) - Y_a beta_a|^2,
/// with the parameters of every channel eliminated at each d, so that it does not matter what a
/// wrong delay does to them. Between the shifts efforts are interpolated by Lagrange's formula of
/// six points; a step of a sixteenth of the cut-off's period makes its error 1e-5.
///
/// @param channels  [channels][parts] moments; the parts of a channel are consecutive stretches of
///                  the log, at least two
/// @param shifts    K, odd, at least 7
/// @param step      s
EffortDelay estimateEffortDelay(std::span<const std::vector<ShiftMoments>> channels,
                                Eigen::Index shifts,
                                double step);

}  // namespace dynid
