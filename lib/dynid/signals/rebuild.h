#pragma once

#include "dynid/signals/clock.h"

#include <vector>

namespace dynid {

/// Rows of one window on the rebuilt clock.
struct RebuiltClock {
  std::vector<Eigen::Index> rows;  ///< rows kept, increasing
  Eigen::VectorXd time;            ///< [rows.size()] s, strictly increasing
  std::vector<Segment> segments;   ///< ranges of `rows` without a gap
  Eigen::VectorXd row_time;        ///< [N] s, of every row including dropped ones; NaN if unknown
  RowCounts counts;
};

/// Applies a clock to a window: drops unusable rows, and counts the ticks of a regular clock or
/// takes the stamps. The time of a row depends on nearby rows only, except for one number: the
/// offset between ticks and stamps is the median over a stretch without gaps, rounded to whole
/// ticks of model.origin. Rows thus lie on the uniform grid, and a drift between clocks is followed
/// from window to window. (An offset that is common to all channels does not affect the dynamics.)
/// @throws std::invalid_argument for wrong shapes
RebuiltClock rebuildClock(const RawSignals& window, const ClockModel& model);

}  // namespace dynid
