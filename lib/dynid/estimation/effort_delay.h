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

/// Least-squares fit of one channel to every linear combination of its shifted efforts.
struct ShiftFit {
  Eigen::MatrixXd parameters;  ///< [p,K] for each shift
  Eigen::MatrixXd residual;    ///< [K,K] second moments of the residuals
  double rows = 0.0;
};

/// Delay of efforts relative to the motion of their log.
struct EffortDelay {
  double delay = 0.0;    ///< [s] positive if efforts are late
  double std_dev = 0.0;  ///< [s] from leaving out one part after the other (jackknife)
  /// Whether the minimum of the error lies inside the range of shifts. If not, it lies at the end
  /// of the range and `delay` is not an estimate.
  bool inside_range = true;
  /// [channels that were asked for] errorRatio of each with this delay
  Eigen::VectorXd error_ratio;
};

/// Delays of the efforts of one log: of all its channels together or of single channels.
///
/// The delay d of a set of channels is that for which least squares fits best,
///     min over d, beta_a  sum_a N_a / 2 log |tau_a(t + d) - Y_a beta_a|^2.
/// The parameters beta_a of every channel are eliminated at each d; errors that a wrong delay
/// causes in them have no influence. Between the shifts, efforts are interpolated by Lagrange's
/// formula with six points. With a step of 1/16 of the period of the cut-off frequency, the
/// interpolation error is 1e-5.
class EffortDelays {
 public:
  /// @param channels  [channels][parts] moments; the parts of a channel are consecutive sections of
  ///     the log, at least two
  /// @param shifts    K, odd, at least 7
  /// @param step      [s]
  /// @param threads   the result does not depend on it
  /// @throws std::invalid_argument for fewer parts or shifts
  EffortDelays(std::vector<std::vector<ShiftMoments>> channels,
               Eigen::Index shifts,
               double step,
               int threads = 1);

  Eigen::Index numChannels() const { return std::ssize(channels_); }

  /// One delay for all of these channels.
  EffortDelay of(std::span<const Eigen::Index> channels) const;

  /// Ratio of root mean square errors of one channel with and without removal of `delay` [s], on
  /// parts that the fit has not seen.
  double errorRatio(Eigen::Index channel, double delay) const;

 private:
  double middle() const { return 0.5 * static_cast<double>(shifts_ - 1); }

  std::vector<std::vector<ShiftMoments>> channels_;
  Eigen::Index shifts_;
  double step_;
  /// [part left out][channel]; the last entry leaves out none
  std::vector<std::vector<ShiftFit>> fits_;
};

/// The channels of one log as a single channel: one fit of all parameters to all efforts. It needs
/// fewer different rows than fits of single channels, which determine shared parameters once each.
struct JoinedChannels {
  /// Parts of the single channel. The rows of each channel a are divided by the root mean square of
  /// its residual r_a in the joint fit: gram = sum_a G_a / (r_a^T r_a / N_a).
  std::vector<ShiftMoments> parts;

  /// Number of independent columns.
  /// @param shifts  K
  Eigen::Index rank(Eigen::Index shifts) const;
};

/// @param channels    [channels][parts] moments, as for EffortDelays
/// @param parameters  [channels] parameters of the first columns of a channel, from 0; its other
///     columns belong to that channel alone
/// @param shifts      K
/// @param held        [channels] delays in steps of the shifts that are removed from a channel at
///     all shifts; NaN: the channel is shifted. Empty: all are shifted.
/// @param reference   [steps] the delay of the others at which the residuals are taken
JoinedChannels joinChannels(std::vector<std::vector<ShiftMoments>> channels,
                            const std::vector<std::vector<int>>& parameters,
                            Eigen::Index shifts,
                            const Eigen::VectorXd& held = {},
                            double reference = 0.0);

}  // namespace dynid
