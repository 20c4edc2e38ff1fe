#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <vector>

namespace dynid {

/// Means and slopes over windows that slide along a uniform clock, one around every sample, never
/// across the end of a segment: there the window is cut off, down to the three samples that
/// Simpson's rule needs. Both are linear in the values and the same for every column, so an
/// equation that holds between derivatives and values holds between their slopes and means too, up
/// to the quadrature of what is smooth:
///
///     slope(x) = (x(t1) - x(t0)) / (t1 - t0) = mean(dx/dt) + O(dt^4)
class SlidingWindow {
 public:
  /// @param segments  of the samples
  /// @param half      samples on each side, at least 1
  /// @param dt        [s] between samples
  SlidingWindow(const std::vector<Segment>& segments, Eigen::Index half, double dt);

  /// Simpson's rule over the window of every sample, divided by its length; zero in segments of
  /// less than three samples. [samples x columns]
  Eigen::MatrixXd mean(const Eigen::Ref<const Eigen::MatrixXd>& values) const;
  /// Increase over the window divided by its length; zero as above. [per s]
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
