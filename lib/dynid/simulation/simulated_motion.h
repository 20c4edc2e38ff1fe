#pragma once

#include "dynid/logs/trajectory_file.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <cstdint>
#include <functional>

namespace dynid {

/// Positions, velocities and accelerations of all joints at one instant [rad or m, per s, per s^2].
struct JointMotion {
  Eigen::VectorXd q, dq, ddq;
};

/// A motion as a function of the time since its start, in [0, duration_s].
struct SimulatedMotion {
  double duration_s = 0.0;
  std::function<JointMotion(double)> at;
};

/// Value of a Fourier series and of its first two derivatives at `time` [s].
JointMotion evaluate(const FourierSeries& series, double time);

/// How random motion is made.
struct RandomMotionOptions {
  double duration_s = 30.0;     ///< [s] with the still ends. Any length: the series repeats.
  double fundamental_hz = 0.1;  ///< [Hz] lowest frequency
  int harmonics = 8;            ///< 1 ... 50; raise it for faster, richer motion
  double amplitude = 0.8;       ///< share of each joint's limits that is used, (0, 0.95]
  double ramp_s = 2.0;          ///< [s] smooth start and smooth stop
  double still_s = 0.5;         ///< [s] at rest before and after
  std::uint64_t seed = 1;

  /// @throws std::invalid_argument naming the bad field.
  void check() const;
};

/// A random multi-sine within the limits of every joint, starting and ending at rest:
///
///     q(t) = middle + s(t) f(t),   f a Fourier series with random coefficients, s a step up and
///     down with six continuous derivatives
///
/// Each joint is scaled so that position, velocity and acceleration stay within `amplitude` of
/// their limits. A joint without position limits moves within +-pi (prismatic +-0.5 m), without a
/// velocity limit within 1 rad/s (0.5 m/s), without an acceleration limit within velocity / 0.25 s.
SimulatedMotion randomMotion(const Robot& robot, const RandomMotionOptions& options);

/// The motion of a trajectory file: its end pieces and series where it has them, else its samples
/// with quintic pieces through position, velocity and acceleration. Columns must be in the order of
/// the robot's joints.
/// @throws InputError if there is neither a series nor velocity and acceleration.
SimulatedMotion motionOf(const TrajectoryFile& trajectory);

}  // namespace dynid
