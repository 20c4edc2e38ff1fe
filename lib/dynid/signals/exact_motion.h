#pragma once

#include <Eigen/Core>

#include <span>

namespace dynid {

/// Accuracy of seven-point derivatives of unfiltered positions.
struct MotionQuality {
  /// Error of the acceleration, noise and truncation together, relative to its root mean square;
  /// 95th percentile of the worst joint. Infinite if no joint moves or there are too few samples.
  double acceleration_error = 0.0;
  /// Largest share of a moving joint's samples that repeat the sample before (as encoder steps do).
  double repeated = 0.0;

  /// Whether the positions are exact to rounding (simulated): a low-pass would only add errors.
  bool exact() const { return acceleration_error < 1e-5 && repeated < 0.01; }
};

/// Estimates the accuracy from the eighth differences of the positions, which are small for smooth
/// motion:
///
///     D8 q ~ (w dt)^8 q,   truncation of q'' = D8 / (560 dt^2),   noise of q'' = 0.0305 D8 / dt^2
///
/// White noise with standard deviation s gives s sqrt(12870) in D8 and 3.46 s / dt^2 in q'' (see
/// differentiate).
///
/// @param positions  pieces [N,n] on the uniform clock (rad or m)
/// @param dt         [s]
/// @param still_speed  [rad/s or m/s] below it a joint is at standstill
MotionQuality judgeMotion(std::span<const Eigen::MatrixXd> positions,
                          double dt,
                          double still_speed);

}  // namespace dynid
