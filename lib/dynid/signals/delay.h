#pragma once

#include <Eigen/Core>

namespace dynid {

/// How a channel follows a reference: signal(t) = gain * reference(t - lag) + noise.
struct DelayEstimate {
  double lag = 0.0;  ///< s, positive if the signal is late; NaN if there is nothing to compare
  double correlation = 0.0;  ///< at that lag, sign of the gain included
  double gain = 0.0;         ///< least squares at that lag
  double std_dev = 0.0;      ///< s, of the lag, were the noise white
};

/// Cross-correlation (normalised over the common part) over whole samples up to max_lag, then a
/// parabola through the best and its neighbours.
/// \param reference, signal [N] on the same uniform clock of step dt [s]
/// \param max_lag s; at most a quarter of the length is searched
/// \throws std::invalid_argument on a mismatch
DelayEstimate estimateDelay(const Eigen::Ref<const Eigen::VectorXd>& reference,
                            const Eigen::Ref<const Eigen::VectorXd>& signal,
                            double dt,
                            double max_lag);

}  // namespace dynid
