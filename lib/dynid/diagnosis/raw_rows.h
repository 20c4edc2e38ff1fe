#pragma once

#include "dynid/signals/raw_signals.h"

#include <limits>
#include <span>

namespace dynid {

/// Median interval between consecutive rows that are in order [s]; NaN where there is none. Where
/// most rows repeat the stamp of the row before: the median step of the stamps, divided by the rows
/// per stamp.
double medianInterval(std::span<const RawSignals> windows);

/// Number of rows in a time, at least `least`; `least` where the interval is not known.
/// @param interval_s  between rows (medianInterval)
Eigen::Index rowsIn(double interval_s, double seconds, Eigen::Index least);

/// Smallest and largest position of a joint in a log [rad or m].
struct PositionRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  double width() const { return high - low; }
};

/// Of the finite positions of one column.
PositionRange positionRange(std::span<const RawSignals> windows, Eigen::Index joint);

}  // namespace dynid
