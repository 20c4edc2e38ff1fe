#pragma once

#include "dynid/identification/select_friction.h"

#include <vector>

namespace dynid {

/// The delay of the efforts of one log against its motion.
struct LogDelay {
  double delay = 0.0;      ///< s, positive if efforts are late; NaN if it could not be estimated
  double std_dev = 0.0;    ///< s
  bool corrected = false;  ///< conditioning removes it from the efforts
};

/// Estimates the delay of the efforts of every log (estimateEffortDelay, with the selected friction
/// columns). Conditioning removes the delay from the efforts if it is significant: more than five
/// standard deviations, inside the search range of 0.1 s, and with smaller errors on parts of the
/// log that the fit has not used. Corrected delays and delays beyond the range become findings.
/// Logs whose motion has no noise are not searched (SignalPlan::exact_motion).
///
/// @param options  `pass` limits the rows of the recordings; drive gains as found
/// @returns one per log of the recordings
std::vector<LogDelay> findEffortDelays(const Recordings& recordings,
                                       const FrictionModel& friction,
                                       const GatherOptions& options);

/// The delay [s] of predictions: the median over the logs, weighted by their durations; 0 without
/// logs.
double predictionDelay(const Recordings& recordings);

}  // namespace dynid
