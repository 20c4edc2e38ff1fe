#pragma once

#include "dynid/signals/clock.h"
#include "dynid/signals/raw_signals.h"

#include <optional>
#include <span>

namespace dynid {

/// Rows that are missing although the stamps go on evenly: the time was made up from the number of
/// rows.
struct LostRows {
  Eigen::Index places = 0;  ///< at which rows are missing
  double rows = 0.0;        ///< missing rows
  double share = 0.0;       ///< of all rows, the missing ones included
  double first_s = 0.0;     ///< [s] stamp of the row before the first place
};

/// Finds places at which the positions advance by several rows at once.
///
/// Between rows k and k + 1, with the mean increments a and b of the three intervals before and
/// behind, the number of intervals that fit the increments d of all joints together is
///   n = sum_j w_j d_j e_j / sum_j w_j e_j^2,   e = (a + b) / 2,   w = 1 / noise^2.
/// Rows are missing where n is at least 2.5 and leaves at most a tenth of sum_j w_j d_j^2, while
/// each of the six intervals around has between 0.5 and 1.6 and the stamps of all are even. Joints
/// count that move by more than the noise per row, in the same direction and at a similar speed (at
/// most threefold) before and behind. A held row, a step of a coarse encoder, an outlier, or a
/// motion that starts does not look like this.
///
/// One row is missing where n is between 1.75 and 2.5, the intervals around are within a quarter of
/// one, and sum_j w_j e_j^2 exceeds 15^2. Such places count if they are 2.5 % of the rows (fewer
/// change the speeds by little, and are common where a controller is polled), if those with n from
/// 1.25 to 1.75 (rows that were recorded late) are at most a tenth as many, and if they do not
/// follow each other at one distance: then the source may be a little faster than the log, which
/// leaves out a sample now and then with the right stamps.
///
/// @returns empty at fewer than three places, and where there is no clock
std::optional<LostRows> findLostRows(std::span<const RawSignals> excerpts, const ClockModel& clock);

}  // namespace dynid
