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

/// One log of an identification, opened and audited.
struct OpenedLog {
  std::shared_ptr<const LogSource> source;
  LogBlocks blocks;
  int payload = -1;                 ///< index into Recordings::payloads, -1 without
  std::vector<BodySensor> sensors;  ///< links whose motion and wrench it holds

  bool holdsCurrents() const { return source->info().effort_kind == EffortKind::kCurrent; }
};

/// All that a model is identified from: opened logs, gathered statistics of other logs, and what
/// they share. Nothing of it changes after openRecordings.
struct Recordings {
  std::shared_ptr<const Robot> robot;
  std::vector<OpenedLog> logs;
  std::vector<PooledStatistics> pools;  ///< gathered statistics; their blocks before the logs'
  std::vector<Payload> payloads;        ///< of all of them, without a place in a layout
  double block_s = 0.0;
  std::vector<int> block_log;  ///< per block of all of them
  /// [actuators] Below it the sign of Coulomb friction is a ramp through zero [rad/s or m/s]; 0
  /// where the motion is exact and the sign is known at every sample. One for all logs: the model
  /// keeps it, and predictions use it.
  Eigen::VectorXd ramp_speed;
  Eigen::VectorXd typical_speed;  ///< [actuators] root mean square, rad/s or m/s
  /// The pools' columns of friction in proportion to the transmitted torque stand on the same model
  /// of that torque.
  bool same_transmitted_torque = false;
  std::shared_ptr<FileDigests> log_digests;  ///< of `logs`
};

/// How recordings are opened.
struct OpenOptions {
  RecordingSettings signals;
  int blocks = 64;              ///< at most so many consecutive blocks over all of them
  bool force = false;           ///< go on where the audit would refuse
  bool digests_beside = false;  ///< file digests are computed beside the work
};

/// Opens, looks at and audits the logs, reads the files of statistics, and settles what all of them
/// share: cut-off, payloads, blocks, speeds. Where a log alone holds the wrench between ground and
/// base, the robot gets its root link as a body (withRootBody).
///
/// @throws InputError if a log is unusable (of several all are named), or statistics belong to
/// another robot or gravity
Recordings openRecordings(std::shared_ptr<const Robot> robot,
                          const std::vector<LogInput>& logs,
                          const std::vector<std::filesystem::path>& statistics,
                          const OpenOptions& options);

/// What the logs say of the base.
BaseKnowledge baseKnowledge(const Recordings& recordings);

/// The sensors of all logs, each link once.
std::vector<BodySensor> distinctSensors(const Recordings& recordings);

}  // namespace dynid
