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
  double duration_s = 0.0;                ///< [s]
  std::function<JointMotion(double)> at;  ///< motion at a time [s] since the start
};

/// Value of a Fourier series and of its first two derivatives at `time` [s].
/// @throws std::invalid_argument if the shapes of the series disagree or its frequency is not
/// positive
JointMotion evaluate(const FourierSeries& series, double time);

/// Settings of a random motion.
struct RandomMotionOptions {
  /// [s] including the rests at both ends; any length, since the series is periodic
  double duration_s = 30.0;
  double fundamental_hz = 0.1;  ///< [Hz] lowest frequency
  int harmonics = 8;            ///< 1 to 50; more harmonics give faster and richer motion
  double amplitude = 0.8;       ///< fraction of each joint's limits that is used, (0, 0.95]
  double ramp_s = 2.0;          ///< [s] duration of the smooth start and of the smooth stop
  double rest_s = 0.5;          ///< [s] at rest before and after the motion
  std::uint64_t seed = 1;       ///< of the random coefficients

  /// @throws std::invalid_argument with the name of the invalid field
  void check() const;
};

/// A random sum of sines within the limits of every joint that starts and ends at rest:
///
///     q(t) = middle + s(t) f(t)
///
/// f is a Fourier series with random coefficients and s a smooth step up and down with six
/// continuous derivatives. Each joint is scaled so that position, velocity and acceleration stay
/// within the fraction `amplitude` of their limits. Defaults: a joint without position limits moves
/// within +-pi (prismatic +-0.5 m), without a velocity limit within 1 rad/s (0.5 m/s), without an
/// acceleration limit within velocity / 0.25 s.
SimulatedMotion randomMotion(const Robot& robot, const RandomMotionOptions& options);

/// The motion of a trajectory file: its end pieces and series if it has them, otherwise quintic
/// pieces through position, velocity and acceleration of its samples. The columns must be in the
/// order of the robot's joints.
/// @throws InputError if the file has neither a series nor velocities and accelerations;
/// std::invalid_argument as TrajectoryFile::check
SimulatedMotion motionOf(const TrajectoryFile& trajectory);

}  // namespace dynid
