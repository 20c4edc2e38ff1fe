#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Means and slopes over windows that slide along a uniform clock, one centred at every sample. A
/// window does not extend beyond its segment: it is shortened there, at least to the three samples
/// that Simpson's rule needs. Mean and slope are linear in the values and the same for every
/// column. An equation between derivatives and values therefore also holds between their slopes and
/// means, up to the quadrature error of smooth signals:
///
///     slope(x) = (x(t1) - x(t0)) / (t1 - t0) = mean(dx/dt) + O(dt^4)
class SlidingWindow {
 public:
  /// @param segments  of the samples
  /// @param half      samples on each side of the centre, at least 1
  /// @param dt        [s] between samples
  SlidingWindow(const std::vector<Segment>& segments, Eigen::Index half, double dt);

  /// Mean over the window of every sample by Simpson's rule; zero in segments of fewer than three
  /// samples. [samples x columns]
  Eigen::MatrixXd mean(const Eigen::Ref<const Eigen::MatrixXd>& values) const;
  /// Increase over the window divided by its length; zero in segments of fewer than three samples.
  /// [samples x columns], per s
  Eigen::MatrixXd slope(const Eigen::Ref<const Eigen::MatrixXd>& values) const;

 private:
  struct Span {
    Eigen::Index sample = 0, first = 0, last = 0;  ///< an even number of steps
  };
  std::vector<Segment> segments_;
  std::vector<Span> spans_;
  double dt_ = 0.0;
};

}  // namespace dynid
