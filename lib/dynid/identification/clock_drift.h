#pragma once

#include "dynid/signals/finding.h"
#include "dynid/statistics/delay_moments.h"

#include <optional>

namespace dynid {

/// Delays [s] of the efforts in the two halves of a log whose positions and efforts have different
/// clocks.
struct ClockDrift {
  double first = 0.0, second = 0.0;
};

/// Estimates one delay of all efforts (EffortDelays) from each half of a log. The clocks drift if
/// both delays lie inside the range of the search, their difference is more than 6 ms and three of
/// its standard deviations, and that of two single channels (or of the only one) is more than 2.5
/// and has the same sign, but that of none the opposite one. Channels with too few rows in a half
/// are left out.
/// @param moments  of the log; none is found where its motion repeats itself and `later` is empty
std::optional<ClockDrift> findClockDrift(const DelayMoments& moments, int threads);

/// "clock-drift", a warning and a reservation of the model.
Finding findingOf(const ClockDrift& drift);

}  // namespace dynid
