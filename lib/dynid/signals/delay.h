#pragma once

#include <Eigen/Core>

#include <map>
#include <vector>

namespace dynid {

/// Delay and gain of a channel relative to a reference: signal(t) = gain * reference(t - lag) +
/// noise.
struct DelayEstimate {
  double lag = 0.0;  ///< [s] positive if the signal is late; NaN if there is nothing to compare
  double correlation = 0.0;  ///< at that lag, with the sign of the gain
  double gain = 0.0;         ///< least squares at that lag
  double std_dev = 0.0;      ///< [s] of the lag, assuming white noise
};

/// Estimates the delay by cross-correlation (normalised over the common part) over whole samples up
/// to max_lag, refined by a parabola through the maximum and its neighbours.
/// @param reference, signal [N] on the same uniform clock of step dt [s]
/// @param max_lag [s]; at most a quarter of the length is searched
/// @throws std::invalid_argument for different lengths or an invalid step
DelayEstimate estimateDelay(const Eigen::Ref<const Eigen::VectorXd>& reference,
                            const Eigen::Ref<const Eigen::VectorXd>& signal,
                            double dt,
                            double max_lag);

/// The columns that have the same delay.
/// @param delays  [columns] s
std::map<double, std::vector<Eigen::Index>> columnsByDelay(const Eigen::VectorXd& delays);

}  // namespace dynid
