#pragma once

#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"
#include "dynid/signals/raw_signals.h"

#include <span>
#include <vector>

namespace dynid {

/// Efforts that are held although the joint moves: the drive, a sensor or the logger sent no
/// values. Warnings, for efforts with more than 100 levels:
///   raw-effort-held  the effort stays at one level for a tenth of the log, while the joint moves
///                    through a third of its range
///   raw-effort-zero  the effort is exactly 0 in stretches of at least 0.1 s in which the joint
///                    moves by 2 % of its range, three times as long as the longest at any other
///                    level; in all at least 0.3 s and 0.5 % of the log. Or: the efforts of all
///                    joints (two or more) are exactly 0 in ten consecutive rows, in which one of
///                    them moves by 1 mrad or 1 mm
///   raw-effort-repeated  new efforts come in every fourth row at most, in equal intervals of at
///                    least 10 ms (80 % of at least 50 stretches in which the joint moves), and at
///                    most half as often as new positions. One finding for all joints
/// An effort at the largest or smallest value of the log is clipped, not held (audit,
/// effort-clipped).
/// @param windows  contiguous parts of one log
std::vector<Finding> findHeldEfforts(const Robot& robot, std::span<const RawSignals> windows);

}  // namespace dynid
