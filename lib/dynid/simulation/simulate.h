#pragma once

#include "dynid/core/progress.h"
#include "dynid/logs/log_writer.h"
#include "dynid/simulation/simulated_motion.h"
#include "dynid/simulation/simulated_truth.h"

#include <Eigen/Core>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Content and imperfections of a simulated log. All imperfections are off by default.
struct SimulationOptions {
  /// Used if there is no trajectory; its seed is replaced by `seed` below
  RandomMotionOptions motion;
  std::optional<TrajectoryFile> trajectory;  ///< executed once, from its first to its last sample
  double rate_hz = 200.0;                    ///< [Hz] sample rate, 1 to 1e5
  /// Computes the efforts of the rigid bodies from the discretised Hamilton's principle with the
  /// time step of the log, instead of Newton-Euler: these are the efforts for which the variational
  /// integrator (variationalStep) yields exactly these positions. Friction then uses central
  /// differences of the positions.
  bool variational = false;
  /// One of constrainedSolverNames: the motion of a robot with loops is integrated with drives that
  /// track the given motion (integrateMotion). Empty: the given motion is used directly.
  std::string solver;
  std::uint64_t seed = 1;  ///< of motion and noise; the same seed gives the same log

  /// [N m or N] Standard deviation of the noise of every effort channel, before a conversion to
  /// currents.
  double effort_noise = 0.0;
  /// The same relative to each channel's root mean square effort; the variances of both are added.
  double effort_noise_relative = 0.0;
  /// [s] Correlation time of the effort noise (first-order autoregressive); 0: white noise.
  /// Residuals of real robots have 0.01 to 0.1 s.
  double effort_noise_correlation_s = 0.0;
  /// [rad or m] Positions are rounded to multiples of this value; 13 bits: 7.67e-4 rad.
  double encoder_step = 0.0;
  double velocity_noise = 0.0;  ///< [rad/s or m/s] standard deviation, white
  /// [s] Standard deviation of the time stamps. The sampling itself stays regular, and the stamps
  /// stay in order.
  double clock_jitter_s = 0.0;

  bool velocity = true;       ///< write velocities
  bool acceleration = false;  ///< write accelerations
  bool passive = false;       ///< write the passive joints of loops too, exact and with effort 0
  /// Write currents (effort / gain) instead of efforts; the truth must have gains.
  bool current = false;
  /// Payload: the mass [kg] is required; centre of mass and inertia are zero if not given; the
  /// default link is Robot::payload_link. It is written into the log as given, as a known payload.
  std::optional<PayloadNote> payload;
  std::vector<std::string> bodies;  ///< links with an inertial and a wrench sensor (only for files)
  /// Record the wrench that the ground exerts on the base in this frame ("body", "space", "hybrid";
  /// "": not recorded; only for files). A floating base then moves at random, and its pose and
  /// twist (in the same frame) are recorded too. The robot must be one of withRootBody.
  std::string base_frame;
  int compression = 0;  ///< 0 (fast) to 9 (small), of the file
  /// Rows that are computed and passed on at a time; no influence on the log
  int block_rows = 4096;

  /// @throws std::invalid_argument with the name of the invalid field, its value and what is
  ///     expected
  void check() const;
};

/// Summary of a simulated log.
struct SimulationSummary {
  std::int64_t rows = 0;    ///< number of rows of the log
  double duration_s = 0.0;  ///< [s]
  /// Per joint on the joint side, without noise: range of q, largest |dq|, |ddq|, |effort|, and
  /// root mean square effort.
  Eigen::VectorXd min_position, max_position;
  Eigen::VectorXd max_velocity, max_acceleration, max_effort, rms_effort;
  std::vector<std::string> notes;  ///< limits that the motion exceeds, one sentence each
};

/// Simulates a log: motion, inverse dynamics of the true robot (Newton-Euler or variational), joint
/// effects, payload, measurement. It is computed block by block, so that logs of any length need
/// little memory. The columns are those of Robot::logColumnNames, on the side of the transmission
/// that the robot measures.
///
///     tau_actuator = T^T rnea(q, dq, ddq) + effects,   tau_joint = T^-T tau_actuator
///
/// @param sink receives consecutive blocks in SI units
/// @throws std::invalid_argument for invalid options or truth; UsageError if currents are requested
///     without gains, a payload has no mass or no link, or passive joints are requested of a robot
///     without loops
SimulationSummary simulate(const Robot& robot,
                           const SimulationTruth& truth,
                           const SimulationOptions& options,
                           const std::function<void(const RawBlock&)>& sink,
                           const Progress& progress = {});

/// Header of the log that `simulate` writes.
LogHeader simulatedHeader(const Robot& robot, const SimulationOptions& options);

/// Simulates a log into a file, which appears only when it is complete. @throws OutputError in
/// addition.
SimulationSummary simulate(const Robot& robot,
                           const SimulationTruth& truth,
                           const SimulationOptions& options,
                           const std::filesystem::path& path,
                           const Progress& progress = {});

}  // namespace dynid
