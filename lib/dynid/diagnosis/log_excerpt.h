#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <span>
#include <vector>

namespace dynid {

/// About a thousand filtered rows, evenly spread over the motion in a log: what the diagnosis fits.
/// Columns are those of the log, in the robot's order.
struct LogExcerpt {
  Eigen::MatrixXd q, dq, ddq;  ///< [rows x channels] rad or m, per s, per s^2
  Eigen::MatrixXd effort;      ///< [rows x channels], low-passed like the motion
  /// The efforts are those of the drives, also where positions are those of the joints: currents.
  bool efforts_of_drives = false;
  /// [rows] fold of the cross-validation. Folds are interleaved over 20 parts of the log: with five
  /// contiguous folds wrong hypotheses gained from a motion that changes along the log. Where the
  /// motion repeats (motionPeriod), they are parts of the period: else every fold would hold the
  /// motion that another one leaves out.
  std::vector<int> fold;
  /// [rows] the same with shorter parts, where joints move one after the other; else empty.
  /// tryHypotheses compares the two.
  std::vector<int> second_fold;
  double cutoff_hz = 0.0;
  double step = 0.0;             ///< [s] of the uniform grids
  bool clock_confirmed = false;  ///< by logged velocities (velocitiesAgree)
  /// [channels] rms acceleration of the positions' rounding below the cut-off, as a share of the
  /// rms acceleration; 0 for a joint that rests.
  Eigen::VectorXd rounding_share;
  Eigen::VectorXd position_step;  ///< [channels] rad or m
  /// Most of the acceleration is rounding. Wrong hypotheses were named on simulated logs from 0.9
  /// on; moving joints of nine real robots have 0.06 at most (experiments/mistakes).
  static constexpr double kCoarse = 0.5;
  bool isCoarse(Eigen::Index channel) const { return rounding_share(channel) > kCoarse; }
  bool anyCoarse() const { return (rounding_share.array() > kCoarse).any(); }

  /// A stretch without gaps, on a uniform grid of `step`.
  struct Stretch {
    Eigen::MatrixXd q, effort;          ///< [samples x channels], filtered
    double begin_s = 0.0, end_s = 0.0;  ///< log time of the first and the last sample
  };
  std::vector<Stretch> stretches;
  std::vector<int> stretch_of_row;
  std::vector<Eigen::Index> sample_of_row;

  Eigen::Index rows() const { return q.rows(); }
};

inline constexpr int kDiagnosisFolds = 5;
inline constexpr Eigen::Index kExcerptRows = 1000;
/// Share of the variance of a channel. Channels with a smaller unexplained share count as equally
/// well explained.
inline constexpr double kLeastUnexplained = 3e-3;

/// [channels] 1; 0 for a joint that rests (90 % of its positions [rows x channels] within 0.005 rad
/// or m).
Eigen::ArrayXd movingChannels(const Eigen::MatrixXd& positions);

/// Puts every window on a uniform grid (linear interpolation between the rows that are finite and
/// in order; windows are split at gaps), filters motion and effort forward and backward with a
/// Butterworth low-pass of order 4 at max(4 Hz, 5 f90), f90 the frequency below which 90 % of the
/// speed's power lies as far as it stands out of the noise of the positions. While the rounding of
/// a position is most of its acceleration (isCoarse), 4 Hz is halved, down to 5 f90. Takes
/// `wanted_rows` rows in which a joint moves (above 10 % of its rms speed). Of 108 right logs of
/// six simulated robots that stand for 50 to 90 % of the time, four were warned about or refused
/// with rows at standstill, where friction holds any part of the efforts, and none without. Logs
/// with less than 300 samples in motion keep all rows.
/// @param windows    contiguous parts of one log
/// @param prismatic  [channels] channels that are not angles; jumps of the others by a full turn
/// are removed (AngleUnwrapper)
/// @param threads    for the channels; the result does not depend on it
/// @returns no rows where no stretch is long enough
LogExcerpt excerptOf(std::span<const RawSignals> windows,
                     const std::vector<bool>& prismatic,
                     Eigen::Index wanted_rows = kExcerptRows,
                     int threads = 1);

/// The excerpt's efforts, read later by a delay per channel: effort(t + delay).
/// @param delay  [channels] s
/// @returns [rows x channels]
Eigen::MatrixXd effortLaterBy(const LogExcerpt& excerpt, const Eigen::VectorXd& delay);

/// The same for the effort of one channel and several delays [s].
/// @returns [rows x delays]
Eigen::MatrixXd effortLaterBy(const LogExcerpt& excerpt,
                              Eigen::Index channel,
                              const Eigen::VectorXd& delays);

/// Motion of one channel.
struct ChannelMotion {
  Eigen::VectorXd q, dq, ddq;  ///< [rows] rad or m, per s, per s^2
};

/// The excerpt's motion of one channel, read later by a delay [s]: q(t + delay) and its
/// derivatives.
ChannelMotion motionLaterBy(const LogExcerpt& excerpt, Eigen::Index channel, double delay);

}  // namespace dynid
