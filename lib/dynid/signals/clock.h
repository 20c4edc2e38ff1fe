#pragma once

#include "dynid/signals/raw_signals.h"

#include <span>
#include <string>
#include <vector>

namespace dynid {

/// What hides behind the stamps.
enum class ClockKind {
  uniform,    ///< equal steps, up to the rounding of the stamps
  quantised,  ///< a regular clock whose stamps are jittered and whose packets are lost or
              ///< duplicated: whole ticks counted from the motion
  jittered,  ///< a regular clock under jittered stamps: whole ticks counted from the stamps
  irregular  ///< the stamps are the truth and the steps differ
};

std::string toText(ClockKind kind);

/// How to turn stamps into time; decided once from a bounded look, applied to every window.
struct ClockModel {
  ClockKind kind = ClockKind::uniform;
  double step = 0.0;     ///< s: the tick of a regular clock, the mean step of an irregular one
  double max_gap = 0.0;  ///< s: a longer interval splits the log
  bool drop_repeated = false;  ///< rows whose position is held while the robot moves are dropped
  Eigen::VectorXd
      noise;  ///< [n] rad or m: standard deviation of a position increment of a joint at rest
  double jitter = 0.0;             ///< s: rms of stamp minus rebuilt time
  double repeated_fraction = 0.0;  ///< of the rows in which the robot certainly moves
  double roughness_gain =
      1.0;             ///< roughness of the motion under the stamps / under this clock (1: no gain)
  std::string reason;  ///< why this kind, with the numbers
};

/// The clock behind the stamps of a log.
///
/// Candidates (stamps as they are; ticks counted from the stamps; ticks counted from the position
/// increments, n_k = round(sum_j w_j v_j dq_j / sum_j w_j v_j^2 / tick)) are compared by how smooth
/// they make the motion: the variance of each position about the cubic through its four neighbours
/// in time. A regular clock is preferred where it is as smooth as the stamps. \param looks
/// contiguous windows of one log, at least 8 usable rows in all. \param max_gap s; NaN: max(10
/// steps, 0.05 s). \throws std::invalid_argument if no window has two distinct finite stamps.
ClockModel estimateClock(std::span<const RawSignals> looks, double max_gap);

/// Rows of one window on the rebuilt clock.
struct RebuiltClock {
  std::vector<Eigen::Index> rows;  ///< rows kept, increasing
  Eigen::VectorXd time;            ///< [rows.size()] s, strictly increasing
  std::vector<Segment> segments;   ///< ranges of `rows` without a gap
  Eigen::VectorXd row_time;  ///< [N] s, rebuilt time of every row of the window, also of dropped
                             ///< ones; NaN if unknown
  RowCounts counts;
};

/// Applies a clock to a window; the result at a row depends only on rows nearby, except that the
/// offset between ticks and stamps is the window's median (a regular clock; drift between windows
/// is followed).
RebuiltClock rebuildClock(const RawSignals& window, const ClockModel& model);

}  // namespace dynid
