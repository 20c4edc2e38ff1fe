#pragma once

#include "dynid/signals/raw_signals.h"

#include <span>
#include <string>

namespace dynid {

/// What hides behind the stamps.
enum class ClockKind {
  kUniform,    ///< equal steps, up to the rounding of the stamps
  kQuantised,  ///< a regular clock under jittered stamps, packets lost or doubled: the motion tells
               ///< how many whole ticks passed
  kJittered,   ///< a regular clock under jittered stamps: whole ticks counted from the stamps
  kIrregular   ///< the stamps are the truth and the steps differ
};

std::string toText(ClockKind kind);

/// How to turn stamps into time; decided once from a bounded look, applied to every window.
struct ClockModel {
  ClockKind kind = ClockKind::kUniform;
  /// s: the tick of a regular clock, the mean step of an irregular one.
  double step = 0.0;
  /// s: time of a tick, or the first stamp of an irregular clock.
  double origin = 0.0;
  /// s: a longer interval splits the log.
  double max_gap = 0.0;
  /// Rows whose position is held while the robot moves are dropped.
  bool drop_repeated = false;
  /// Rows with the stamp of the row before are dropped (they are few; many mean coarse stamps).
  bool drop_duplicates = true;
  /// [n] rad or m: noise of a position increment (incrementNoise).
  Eigen::VectorXd noise;
  /// [n] rad or m: smallest usual position increment (incrementResolution).
  Eigen::VectorXd resolution;
  /// s: rms of stamp minus rebuilt time.
  double jitter = 0.0;
  /// Share of held rows among those in which the robot certainly moves.
  double repeated_fraction = 0.0;
  /// Roughness of the motion under the stamps / under this clock (1: no gain).
  double roughness_gain = 1.0;
  /// Why this kind, with the numbers.
  std::string reason;
};

/// The clock behind the stamps of a log.
///
/// Candidates: the stamps as they are; ticks counted from the stamps; ticks counted from the
/// position increments,
///   n_k = round(sum_j w_j v_j (q_j,k+1 - q_j,k) / sum_j w_j v_j^2),   v in rad or m a tick,
/// believed only if nearly all these sums are near whole numbers. They are compared by how smooth
/// they make the motion (motionRoughness). A regular clock is preferred where the motion is as
/// smooth on it as under the stamps.
///
/// \param looks contiguous windows of one log
/// \param max_gap s; NaN: max(5 median steps, 2 slow steps (95 %), 0.02 s)
/// \throws std::invalid_argument without two usable rows of different stamps, or on shapes
ClockModel estimateClock(std::span<const RawSignals> looks, double max_gap);

}  // namespace dynid
