#pragma once

#include "dynid/signals/raw_signals.h"

#include <span>

namespace dynid {

/// Reversals of the positions of all joints together. A reversal counts from a tenth of the range
/// of its joint in the log on, at most 0.02 rad or m; of a joint that covers less than 5 mm or
/// 5 mrad from 0.02 on. Changes by noise or by up to three steps of the encoder never count.
int turningPoints(std::span<const RawSignals> windows);

}  // namespace dynid
