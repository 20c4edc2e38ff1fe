#pragma once

#include <Eigen/Core>

#include <span>
#include <string>
#include <vector>

namespace dynid {

/// A stretch of uniformly sampled positions.
struct PositionPiece {
  double start = 0.0;  ///< s, log time of the first sample
  Eigen::MatrixXd q;   ///< [N,n] rad or m
};

/// A short stretch in which all joints slow down (or rush) by the same share and then go on as
/// before, as when a controller misses a command.
struct Interruption {
  double begin = 0.0, end = 0.0;  ///< s, log time
  double slip = 0.0;  ///< largest relative change of speed: 0.7 is slower by 70 %, negative faster

  bool contains(double time) const { return time >= begin && time <= end; }
};

/// "from 32.77 to 32.84 s all joints slow down together by up to 24 % and go on as before", times
/// counted from `origin` [s].
std::string describe(const Interruption& event, double origin);

/// Finds interruptions of the motion.
///
/// The speed v of every joint, averaged over 10 ms, is compared with the cubic polynomial v_smooth
/// through the speeds from 45 to 150 ms before and after it. If all joints follow their path but
/// slip in time, v = (1 - D) v_smooth with one D for all joints. With joints scaled by the usual
/// size of v - v_smooth (1.48 times its median absolute value), an instant is flagged if
///   - |D| > 0.1 and the time lost in it is more than 2 ms,
///   - |D v_smooth| > 10, and above 2.5 times its 95 % quantile over the log, and
///   - D v_smooth explains 80 % of |v - v_smooth|^2.
/// A group of flagged instants counts if it is shorter than 0.3 s and the polynomial fits the
/// speeds around one of them three times better than the instant itself, which tells it from the
/// start or stop of a motion.
///
/// The thresholds were chosen on training logs of nine robots with a dip of 60 ms inserted
/// (experiments/motion).
///
/// \param pieces of one log, in order
/// \param dt s, of the samples
/// \returns in order of time; none if fewer than three joints move or dt > 50 ms, where such events
///   cannot be told from driven motion; none if they make up more than 2 % of the motion, which is
///   then how this robot moves
std::vector<Interruption> findInterruptions(std::span<const PositionPiece> pieces, double dt);

/// Replaces the positions in each interruption by the polynomial of degree 7 that fits 0.2 s on
/// both sides, so that the spectrum of the others is seen with full resolution (shorter pieces
/// would change the choice of the cut-off by up to a factor of two).
void bridgeInterruptions(std::span<const Interruption> interruptions,
                         double dt,
                         PositionPiece& piece);

}  // namespace dynid
