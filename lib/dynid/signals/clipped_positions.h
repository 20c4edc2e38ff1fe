#pragma once

#include "dynid/signals/raw_signals.h"

#include <optional>
#include <span>

namespace dynid {

/// Positions of a joint that are cut off at a value: the motion goes on, the recorded position
/// does not.
struct ClippedPositions {
  double value = 0.0;             ///< [rad or m] the extreme value at which the position stays
  Eigen::Index rows = 0;          ///< recorded there
  int stays = 0;                  ///< how often the position stays there
  bool velocity_goes_on = false;  ///< the recorded velocity is not zero meanwhile
};

/// Finds positions of one joint that are cut off at their largest or smallest value.
///
/// The position stays exactly at its extreme value for three rows or more, arrives there in full
/// motion and leaves as fast: before and after, over 20 ms (at least two rows) and twice that, the
/// distance from the value grows in proportion to time. A joint that brakes and starts again would
/// cover four times the distance in twice the time, one that hits a stop does so afterwards. At the
/// speeds before and after, a smooth motion would go beyond the value by more than five steps of
/// the encoder and 1 % of the joint's range, so that the turning points of a coarse encoder do not
/// count. At least half of all stays at that value must meet these conditions, and there must be
/// evidence that the robot does not rest meanwhile: the recorded velocity of the joint (more than
/// three times its resolution), or, from two stays on, the position of another.
///
/// None of the logs of nine real robots has such a stay (experiments/mistakes).
/// @param excerpts  contiguous excerpts of one log
/// @param dt        [s] usual interval between rows
/// @returns the side with more rows
std::optional<ClippedPositions> findClippedPositions(std::span<const RawSignals> excerpts,
                                                     Eigen::Index joint,
                                                     double dt);

}  // namespace dynid
