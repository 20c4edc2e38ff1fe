#pragma once

#include "dynid/signals/raw_signals.h"

#include <span>
#include <string>

namespace dynid {

/// Kind of time stamps.
enum class ClockKind {
  kUniform,  ///< equal intervals, up to the rounding of the stamps
  /// A regular clock with jittered stamps and lost or repeated rows: the number of ticks between
  /// rows is determined from the motion.
  kQuantised,
  kJittered,  ///< a regular clock with jittered stamps: ticks are counted from the stamps
  kIrregular  ///< the stamps are correct and the intervals differ
};

std::string toText(ClockKind kind);

/// How time is computed from stamps. Determined once from excerpts and applied to every window.
struct ClockModel {
  ClockKind kind = ClockKind::kUniform;  ///< determines how the stamps are used
  /// [s] Tick of a regular clock; mean interval of an irregular one.
  double step = 0.0;
  /// [s] Time of a tick of a regular clock; first stamp of an irregular one.
  double origin = 0.0;
  /// [s] A longer interval splits the log into segments.
  double max_gap = 0.0;
  /// Whether rows are dropped whose position is repeated while the robot moves.
  bool drop_repeated = false;
  Eigen::Index usual_hold = 1;  ///< usualHold of the positions
  /// Whether rows are dropped that have the same stamp as the row before. True if they are few;
  /// many indicate coarse stamps.
  bool drop_duplicates = true;
  /// Mean number of rows with the same stamp.
  double rows_per_stamp = 1.0;
  /// [s] Distance between stamps that several rows share; 0: the stamps are finer than the step, or
  /// so coarse that only the motion shows the ticks.
  double stamp_width = 0.0;
  /// [n] rad or m: noise of the position increment from row to row (incrementNoise).
  Eigen::VectorXd noise;
  /// [n] rad or m: smallest usual position increment (incrementResolution).
  Eigen::VectorXd resolution;
  /// [s] Root mean square of stamp minus rebuilt time.
  double jitter = 0.0;
  /// Share of repeated rows among those in which the robot certainly moves.
  double repeated_fraction = 0.0;
  /// Roughness of the motion with the stamps relative to that with this clock (1: no improvement).
  double roughness_gain = 1.0;
  /// Reason for this kind of clock, with numbers.
  std::string reason;
};

/// Determines the clock from the stamps and positions of a log.
///
/// Candidates are the stamps as they are, ticks counted from the stamps, and ticks counted from the
/// position increments,
///   n_k = round(sum_j w_j v_j (q_j,k+1 - q_j,k) / sum_j w_j v_j^2),   v in rad or m per tick.
/// The last is accepted only if nearly all of these sums are close to whole numbers. Candidates are
/// compared by the smoothness of the motion (motionRoughness). A regular clock is preferred if the
/// motion with it is as smooth as with the stamps.
///
/// @param excerpts contiguous excerpts of one log
/// @param max_gap [s]; NaN: max(5 median intervals, 2 times the 95 % quantile of the intervals,
/// 0.02 s)
/// @param threads the result does not depend on it
/// @throws std::invalid_argument if there are no two usable rows with different stamps, or for
/// wrong shapes
ClockModel estimateClock(std::span<const RawSignals> excerpts, double max_gap, int threads = 1);

}  // namespace dynid
