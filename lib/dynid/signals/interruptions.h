#pragma once

#include <Eigen/Core>

#include <span>
#include <string>
#include <vector>

namespace dynid {

/// A section of uniformly sampled positions.
struct PositionPiece {
  double start = 0.0;  ///< [s] log time of the first sample
  Eigen::MatrixXd q;   ///< [N,n] rad or m
};

/// A short time in which all joints slow down (or accelerate) by the same factor and then continue
/// as before, for example because a controller missed a command.
struct Interruption {
  double begin = 0.0, end = 0.0;  ///< [s] log time
  double slip = 0.0;  ///< largest relative change of speed: 0.7 is slower by 70 %, negative faster
  bool repeated = false;  ///< rows repeat the position and the next one makes up for it: the log
                          ///< pauses, not the robot

  /// Whether a log time [s] is within the interruption.
  bool contains(double time) const { return time >= begin && time <= end; }
};

/// Text such as "from 32.77 to 32.84 s all joints slow down together by up to 24 % and go on as
/// before".
/// @param origin [s] log time from which times are counted
std::string describe(const Interruption& event, double origin);

/// Finds interruptions of the motion.
///
/// The speed v of every joint, averaged over 10 ms, is compared with the cubic polynomial v_smooth
/// through the speeds from 45 to 150 ms before and after it. If all joints follow their path but
/// are delayed on it, v = (1 - D) v_smooth with the same D for all joints. Each joint is scaled by
/// the usual size of v - v_smooth (1.48 times its median absolute value). An instant is flagged if
///   - 0.1 < |D| < 1.2 and the time lost in it is more than 2 ms,
///   - |D v_smooth| > 10, and above 3 times its 95 % quantile over the log,
///   - D v_smooth explains 80 % of |v - v_smooth|^2, 98 % where only two joints move, and
///   - without the joint that deviates most, the others slip by at least half of D, if that would
///     be more than 6 of their usual deviations: an encoder that stops is no interruption.
/// A group of flagged instants counts if it is shorter than 0.3 s and, at one of them, the
/// polynomial fits the speeds around it three times better than the instant itself and the joints
/// move before and after it with at least a tenth of v_smooth, also beyond 150 ms. These
/// conditions exclude the start and stop of a motion. The slip of the event is then the largest D
/// against the polynomial through the speeds before and after the whole event; of two joints, only
/// events with 0 < D < 1 count (a jerk or a reversal of one of them can look like the rest).
///
/// The thresholds were chosen on training logs of nine robots with an inserted dip of 60 ms
/// (experiments/motion).
///
/// @param pieces of one log, in order
/// @param dt [s] sample interval
/// @returns in order of time. None if fewer than two joints move or dt > 50 ms, because such
/// events cannot be distinguished from commanded motion; none if they cover more than 2 % of the
/// motion, which is then normal for this robot
std::vector<Interruption> findInterruptions(std::span<const PositionPiece> pieces, double dt);

/// Replaces the positions in each interruption by the polynomial of degree 7 that fits 0.2 s on
/// both sides. The spectrum of the remaining motion can then be computed with full resolution
/// (shorter pieces would change the chosen cut-off by up to a factor of two).
void bridgeInterruptions(std::span<const Interruption> interruptions,
                         double dt,
                         PositionPiece& piece);

}  // namespace dynid
