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

/// What a simulated log contains and what is wrong with it. All imperfections are off by default.
struct SimulationOptions {
  RandomMotionOptions motion;  ///< used where there is no trajectory; `seed` below replaces its own
  std::optional<TrajectoryFile> trajectory;  ///< followed once, from its first to its last sample
  double rate_hz = 200.0;                    ///< [Hz] samples a second, 1 to 1e5
  /// Efforts of the rigid bodies by Hamilton's principle, discretised with the log's step, in place
  /// of Newton-Euler: those under which the variational integrator (variationalStep) makes exactly
  /// these positions. Friction then takes their central differences.
  bool variational = false;
  /// One of constrainedSolverNames: what a robot with loops does when its drives follow the motion,
  /// integrated (integrateMotion), in place of the motion itself. Empty: the motion itself.
  std::string solver;
  std::uint64_t seed = 1;  ///< of motion and noise; the same seed gives the same log

  /// [N m or N] standard deviation of the noise of every effort channel (before conversion to
  /// currents).
  double effort_noise = 0.0;
  /// The same as a share of each channel's root mean square effort; both add up in variance.
  double effort_noise_relative = 0.0;
  /// [s] correlation time of effort noise (first-order autoregressive); 0: white. Real residuals
  /// have 0.01 to 0.1 s.
  double effort_noise_correlation_s = 0.0;
  double encoder_step =
      0.0;  ///< [rad or m] positions are rounded to multiples of it; 13 bits: 7.67e-4 rad
  double velocity_noise = 0.0;  ///< [rad/s or m/s] standard deviation, white
  double clock_jitter_s = 0.0;  ///< [s] standard deviation of the time stamps; sampling itself
                                ///< stays regular, stamps in order

  bool velocity = true;       ///< write velocities
  bool acceleration = false;  ///< write accelerations
  bool passive = false;       ///< write the passive joints of loops too: exact, effort 0
  bool current =
      false;  ///< write currents (effort / gain) instead of efforts; the truth must have gains
  /// Load carried: mass [kg] needed, centre of mass and inertia zero where missing, link as in
  /// Robot::payload_link where empty. Written into the log as given, as a known load.
  std::optional<PayloadNote> payload;
  std::vector<std::string> bodies;  ///< links with an inertial and a wrench sensor (in a file)
  /// Record what the ground exerts on the base, in this frame ("body", "space", "hybrid"; "": not;
  /// in a file). A floating base then moves at random, and its pose and twist (same frame) are
  /// recorded too. The robot must be one of withRootBody.
  std::string base_frame;
  int compression = 0;    ///< 0 (fast) to 9 (small) of the file
  int block_rows = 4096;  ///< rows made and handed on at a time; the log does not depend on it

  /// @throws std::invalid_argument naming the bad field, its value and what is expected.
  void check() const;
};

/// What came out.
struct SimulationSummary {
  std::int64_t rows = 0;
  double duration_s = 0.0;
  /// Per joint, joint side, without noise: largest |dq|, |ddq|, |effort| and root mean square
  /// effort.
  Eigen::VectorXd max_velocity, max_acceleration, max_effort, rms_effort;
  std::vector<std::string> notes;  ///< limits that the motion exceeds, a sentence each
};

/// Makes a log: motion, inverse dynamics of the truth (Newton-Euler or variational), joint effects,
/// payload, measurement. In blocks, so that a log of any length needs little memory. Columns are
/// those of Robot::logColumnNames, on the side it measures.
///
///     tau_actuator = T^T rnea(q, dq, ddq) + effects,   tau_joint = T^-T tau_actuator
///
/// @param sink  gets consecutive blocks in SI units
/// @throws std::invalid_argument from the checks of options and truth; UsageError if currents are
/// asked for without gains
///         or a payload has no mass or no link.
SimulationSummary simulate(const Robot& robot,
                           const SimulationTruth& truth,
                           const SimulationOptions& options,
                           const std::function<void(const RawBlock&)>& sink,
                           const Progress& progress = {});

/// Header of the log that simulate makes.
LogHeader simulatedHeader(const Robot& robot, const SimulationOptions& options);

/// Into a file, which appears only when it is complete. @throws OutputError in addition.
SimulationSummary simulate(const Robot& robot,
                           const SimulationTruth& truth,
                           const SimulationOptions& options,
                           const std::filesystem::path& path,
                           const Progress& progress = {});

}  // namespace dynid
