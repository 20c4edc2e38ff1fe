#pragma once

#include "dynid/diagnosis/hypothesis_score.h"
#include "dynid/diagnosis/log_excerpt.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Delay of the efforts relative to the motion.
struct ChannelDelay {
  Eigen::VectorXd of_channel;    ///< [s] delays that are corrected; zero for the other channels
  Eigen::VectorXd channel_gain;  ///< [nat] fall of log unexplained of each channel at its delay
  double gain = 0.0;             ///< [nat] fall of the objective by these corrections
  double common = 0.0;           ///< [s] the one delay that fits all channels best
};

/// Shifts the efforts by -40 to 160 ms in steps of 10 ms and takes the minimum of a parabola
/// through the three best. The delay of a channel is corrected if the model explains the channel
/// (less than 0.3 of the variance left) and the correction gains at least 0.1 nat.
/// @param threads  the result does not depend on it
ChannelDelay findEffortDelay(const ChannelColumns& columns,
                             const MotionStatistics& motion,
                             const ChannelRows& rows,
                             const LogExcerpt& excerpt,
                             const EffortAssignment& assignment,
                             EffortScale scale,
                             int threads);

/// Delays of the logged channels, from those of the channels to which the assignment gives them.
Eigen::VectorXd ofSources(const Eigen::VectorXd& of_channel, const EffortAssignment& assignment);

}  // namespace dynid
