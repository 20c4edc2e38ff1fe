#pragma once

#include "dynid/identification/select_friction.h"

#include <limits>
#include <vector>

namespace dynid {

/// [s] End of the range in which delays are searched
inline constexpr double kSearchedDelay = 0.1;

/// The delay of the efforts of one log against its motion.
struct LogDelay {
  /// [s] that of all efforts without a delay of their own, positive if they are late; NaN if it
  /// could not be estimated
  double delay = std::numeric_limits<double>::quiet_NaN();
  double std_dev = std::numeric_limits<double>::quiet_NaN();  ///< [s]
  Eigen::VectorXd separate;  ///< [actuators] s: delays of single efforts; NaN: as the others
  Eigen::VectorXd removed;   ///< [actuators] s that conditioning removes; empty: nothing
  /// [actuators] s: largest size of the delay of an effort by itself (of coupled drives together)
  /// that is within two standard deviations of its estimate; infinite where the search does not
  /// find one. Empty: not searched.
  Eigen::VectorXd largest_alone = {};
};

/// Estimates the delay of the efforts of every log (EffortDelays, with the selected friction
/// columns and the plain sign of the velocity, because selected friction may imitate late
/// friction). Conditioning removes the delay from the efforts if it is significant: more than five
/// standard deviations, inside the search range of 0.1 s, and with smaller errors on parts of the
/// log that the fit has not used; in each joint, except where its own delay is the same. Corrected
/// delays and delays beyond the range become findings. Motion without noise
/// (SignalPlan::exact_motion) is filtered for the search only; its delays count from half a
/// sampling period. A log that is too short to be searched gets a finding.
///
/// An effort has a delay of its own if its delay differs from what is removed from the others by
/// more than five standard deviations and its removal lowers the error on unseen parts by a
/// quarter. It is removed, too. The efforts of coupled drives that are recorded on the joint side
/// have one delay together.
///
/// Rows of a repeated motion count once. Where a channel has fewer than three different ones per
/// column, one fit of all channels (joinChannels) takes the place of fits of single channels;
/// robots of more than twelve drives then get no separate delays.
///
/// @param options  `pass` limits the rows of the recordings; drive gains as found
/// @returns one per log of the recordings
std::vector<LogDelay> findEffortDelays(const Recordings& recordings,
                                       const FrictionModel& friction,
                                       const GatherOptions& options);

}  // namespace dynid
