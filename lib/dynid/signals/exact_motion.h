#pragma once

#include <Eigen/Core>

#include <span>

namespace dynid {

/// How far seven-point derivatives of unfiltered positions can be trusted.
struct MotionQuality {
  /// Error of the acceleration, noise and truncation together, relative to its root mean square:
  /// the worst joint's 95th percentile. Infinite where no joint moves or there are too few samples.
  double acceleration_error = 0.0;
  /// Largest share of a moving joint's samples that repeat the one before (steps of an encoder).
  double repeated = 0.0;

  /// Positions as only a computer has them: a low-pass would take more than it gives.
  bool exact() const { return acceleration_error < 1e-5 && repeated < 0.01; }
};

/// Judges positions by their eighth differences, which smooth motion hardly has:
///
///     D8 q ~ (w dt)^8 q,   truncation of q'' = D8 / (560 dt^2),   noise of q'' = 0.0305 D8 / dt^2
///
/// with white noise s giving s sqrt(12870) in D8 and 3.46 s / dt^2 in q'' (differentiate).
///
/// @param positions  pieces [N,n] on the uniform clock (rad or m)
/// @param dt         [s]
/// @param still_speed  [rad/s or m/s] below it a joint stands still
MotionQuality judgeMotion(std::span<const Eigen::MatrixXd> positions,
                          double dt,
                          double still_speed);

}  // namespace dynid
