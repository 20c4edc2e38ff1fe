#pragma once

#include "dynid/estimation/effort_delay.h"
#include "dynid/statistics/accumulate.h"

#include <vector>

namespace dynid {

/// The second moments from which the delay of one log's efforts is estimated.
struct DelayMoments {
  std::vector<std::vector<ShiftMoments>> channels;  ///< [actuators][parts] of rows in motion
  /// [actuators][parts] of those rows that lie in the second half of the log; empty where the
  /// motion does not repeat (the parts then follow each other), and of more than 12 actuators
  std::vector<std::vector<ShiftMoments>> later = {};
  Eigen::Index shifts = 0;
  double step = 0.0;        ///< s between two shifts
  double unrepeated = 1.0;  ///< period of the motion over the duration; 1: it does not repeat
  /// [actuators] the parameters of the first columns of a channel; its others, the rates of change
  /// of the Coulomb friction, belong to that channel alone
  std::vector<std::vector<int>> parameters;
};

/// Gathers second moments of the regressor rows of inverse dynamics and of the effort shifted by up
/// to `range` [s] to either side, all through the low-pass of the motion, in `parts` consecutive
/// stretches of equal duration per log or, where the motion repeats, per period, in one pass. (If a
/// part repeated another one, the fit of the others would have seen its data.)
///
/// The rows include the rate of change of the Coulomb friction, so that the instant at which
/// friction changes its sign is fitted and does not count as a delay: around a standstill the
/// filtered velocity changes its sign at another instant than the friction does.
///
/// @returns one per log
std::vector<DelayMoments> gatherDelayMoments(const std::vector<LogRows>& logs,
                                             const EquationRows& rows,
                                             const WindowPass& pass,
                                             double range,
                                             int parts,
                                             const Progress& progress = {});

}  // namespace dynid
