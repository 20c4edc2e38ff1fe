#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <span>

namespace dynid {

/// How often an effort of one sign falls to zero and rises again: from above 20 % of its largest
/// value to below 5 %, to zero within its noise and half of what it changes per row, and back.
///
/// @param windows  of one log, efforts [rows x joints] in any unit
/// @param averaged  number of rows over which a noisy effort is averaged, at least 1
/// @returns 0 if the effort takes both signs, or if it reaches zero in fewer than half of the cases
/// in which it comes near
int returnsFromZero(std::span<const RawSignals> windows, Eigen::Index joint, Eigen::Index averaged);

}  // namespace dynid
