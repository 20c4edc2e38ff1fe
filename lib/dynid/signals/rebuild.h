#pragma once

#include "dynid/signals/clock.h"

#include <vector>

namespace dynid {

/// Rows of one window on the rebuilt clock.
struct RebuiltClock {
  std::vector<Eigen::Index> rows;  ///< rows kept, increasing
  Eigen::VectorXd time;            ///< [rows.size()] s, strictly increasing
  std::vector<Segment> segments;   ///< ranges of `rows` without a gap
  Eigen::VectorXd row_time;        ///< [N] s, of every row, also of dropped ones; NaN if unknown
  RowCounts counts;
};

/// Applies a clock to a window: drops what must be dropped, counts the ticks of a regular clock or
/// takes the stamps. What a row gets depends on rows nearby only, but for one number: the offset
/// between ticks and stamps is the median of a stretch without a gap, rounded to whole ticks of
/// model.origin, so that rows lie on the uniform grid and drift between clocks is followed from
/// window to window. (An offset common to all channels moves nothing in the dynamics.)
/// \throws std::invalid_argument on shapes
RebuiltClock rebuildClock(const RawSignals& window, const ClockModel& model);

}  // namespace dynid
