#pragma once

#include "dynid/signals/raw_signals.h"

#include <vector>

namespace dynid {

/// What is usable of a window before any clock is known.
struct OrderedRows {
  std::vector<Eigen::Index> rows;  ///< finite, stamps not decreasing
  RowCounts counts;                ///< read, not_finite, backward filled
};

/// Whether a recorded number can be used: finite, and not beyond 1e12, which is corrupt.
bool isUsable(double value);

/// Drops rows with a value in time, position or effort that is not finite (or beyond 1e12:
/// corrupt), then the fewest rows that leave the stamps in order (longest nondecreasing
/// subsequence), so that a single wild stamp costs itself only.
OrderedRows orderRows(const RawSignals& window);

/// Ranges of `rows` between intervals longer than max_gap.
std::vector<Segment> splitAtGaps(const RawSignals& window,
                                 const std::vector<Eigen::Index>& rows,
                                 double max_gap);

}  // namespace dynid
