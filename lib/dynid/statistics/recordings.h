#pragma once

#include "dynid/core/file_digests.h"
#include "dynid/equations/body_sensors.h"
#include "dynid/equations/payloads.h"
#include "dynid/equations/structure.h"
#include "dynid/recordings/log_source.h"
#include "dynid/statistics/accumulate.h"
#include "dynid/statistics/statistics_pool.h"

#include <Eigen/Core>

#include <filesystem>
#include <memory>
#include <vector>

namespace dynid {

/// One log of an identification after opening and audit.
struct OpenedLog {
  std::shared_ptr<LogSource> source;
  LogBlocks blocks;
  int payload = -1;                 ///< index into Recordings::payloads; -1: none
  std::vector<BodySensor> sensors;  ///< links whose motion and wrench it contains

  bool holdsCurrents() const { return source->info().effort_kind == EffortKind::kCurrent; }
};

/// A stretch of time (a log, or one of saved statistics) and its blocks.
struct Stretch {
  int first_block = 0, num_blocks = 0;
  double duration_s = 0.0;
  double period_s = 0.0;  ///< period after which the motion repeats; 0 if it does not repeat
};

/// What a file of statistics holds for predictions.
struct RecordedTuning {
  double duration_s = 0.0;
  Eigen::VectorXd effort_delay;                         ///< [actuators] s; empty: none
  Eigen::VectorXd rigid_cutoff_hz, friction_cutoff_hz;  ///< [actuators]
};

/// Everything from which a model is identified: opened logs, saved statistics of other logs, and
/// their common quantities. It does not change after openRecordings.
struct Recordings {
  std::shared_ptr<const Robot> robot;
  std::vector<OpenedLog> logs;
  /// Saved statistics; their blocks come before those of the logs
  std::vector<PooledStatistics> pools;
  std::vector<RecordedTuning> tunings;  ///< per file of the saved statistics
  /// Logs of the saved statistics in the order of their stretches, which `pools` do not keep;
  /// GatheredLog::payload is an index into `payloads`
  std::vector<GatheredLog> gathered_logs;
  std::vector<Payload> payloads;  ///< of all logs and statistics, not yet placed in a layout
  double block_s = 0.0;
  std::vector<int> block_log;      ///< per block of all logs and statistics: index of its log
  std::vector<Stretch> stretches;  ///< those of saved statistics, then one per log
  /// [actuators] Below this speed [rad/s or m/s] the sign in Coulomb friction is a linear ramp
  /// through zero; 0 if the motion is exact and the sign is known at every sample. One value for
  /// all logs; the model stores it and predictions use it.
  Eigen::VectorXd ramp_speed;
  Eigen::VectorXd typical_speed;  ///< [actuators] root mean square speed, rad/s or m/s
  /// Whether the load-dependent friction columns of all saved statistics use the same model of the
  /// transmitted torque.
  bool same_transmitted_torque = false;
  bool spline_motion = false;  ///< the motion is made by splines (MotionModel::kSpline)
  /// [rad/s or m/s] smallest speed that counts as moving (RecordingSettings::still_speed)
  double least_moving_speed = 0.0;
  std::shared_ptr<FileDigests> log_digests;  ///< SHA-256 digests of the files of `logs`
};

/// [Hz] Cut-off of the fit: the largest that a log uses. All use the same one, but those whose rate
/// is too low for it use the highest that their rate allows. Without logs, the largest of the logs
/// of the saved statistics, which may differ.
/// @throws std::logic_error without logs and statistics
double sharedCutoff(const Recordings& recordings);

/// The delays [actuators] s of predictions: of each actuator the median, weighted by duration, over
/// what was removed from the logs and from those of the saved statistics. Empty: no delay was
/// removed.
Eigen::VectorXd predictionDelays(const Recordings& recordings);

/// Cut-offs [actuators] Hz of predictions that the saved statistics hold: per actuator the medians
/// over the files, weighted by duration.
struct RecordedCutoffs {
  Eigen::VectorXd rigid, friction;
};
RecordedCutoffs recordedCutoffs(const Recordings& recordings);

/// Settings of openRecordings.
struct OpenOptions {
  RecordingSettings signals;
  int blocks = 64;              ///< at most this many consecutive blocks in total
  bool force = false;           ///< continue where the audit would refuse a log
  bool digests_beside = false;  ///< compute the file digests in a separate thread
  /// The assumptions about the logs are what findAssumptions has found: messages do not advise it.
  bool assumptions_searched = false;
};

/// Opens and audits the logs, reads the files of saved statistics, and determines their common
/// quantities: cut-off frequency, payloads, blocks, speeds. If some log contains the wrench between
/// ground and base, the root link becomes a body of the robot (withRootBody).
///
/// @throws InputError if a log is unusable (the message lists all unusable logs), if statistics
///     belong to another robot or gravity, if the motion of some is made by splines and of others
///     by filters, or if payloads of the same name differ (addPayload)
Recordings openRecordings(std::shared_ptr<const Robot> robot,
                          const std::vector<LogInput>& logs,
                          const std::vector<std::filesystem::path>& statistics,
                          const OpenOptions& options);

/// The same recordings in blocks of at least twice the length where they have more than `most`
/// blocks. Those of saved statistics stay as they are.
Recordings withJoinedBlocks(const Recordings& recordings, int most);

/// What the logs and the saved statistics contain about the base.
BaseKnowledge baseKnowledge(const Recordings& recordings);

/// The sensors of all logs, one entry per link.
std::vector<BodySensor> distinctSensors(const Recordings& recordings);

}  // namespace dynid
