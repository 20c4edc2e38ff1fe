#pragma once

#include "dynid/signals/raw_signals.h"

#include <Eigen/Core>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Content of the effort channel of a log: joint effort (N m, N), motor current (A), or nothing.
enum class EffortKind { kEffort, kCurrent, kNone };

/// "effort", "current" or "none".
std::string toText(EffortKind kind);

/// The payload of the robot while the log was recorded. Unknown values are NaN or missing.
struct PayloadNote {
  /// Link to which it is fixed; empty: `[payload] link` of the robot description
  std::string link;
  std::string name;  ///< logs with the same name share the payload's parameters; may be empty
  double mass = std::numeric_limits<double>::quiet_NaN();  ///< [kg]
  std::optional<Eigen::Vector3d> com;                      ///< [m], link frame
  /// Ixx Ixy Ixz Iyy Iyz Izz about the centre of mass, in link axes, kg m^2.
  std::optional<Eigen::Matrix<double, 6, 1>> inertia;
};

/// A channel of the file: its units as written, one per column.
struct ChannelInfo {
  bool present = false;
  std::int64_t rows = 0;
  /// As written, one per joint of the file (one for time); "" if the file states none.
  std::vector<std::string> units;
  bool unit_per_joint = false;  ///< the file has one unit per joint instead of one for all
};

/// The metadata of an HDF5 log.
struct LogInfo {
  std::filesystem::path path;
  std::int64_t rows = 0;                 ///< number of rows of every dataset
  std::vector<std::string> joint_names;  ///< all columns, in the order of the file
  /// Channels of the motion.
  ChannelInfo time, position, velocity, acceleration;
  ChannelInfo effort;                          ///< contains currents if effort_kind is kCurrent
  EffortKind effort_kind = EffortKind::kNone;  ///< content of the `effort` channel
  std::optional<double> sample_rate_hz;        ///< root attribute
  std::optional<Eigen::Vector3d> gravity;      ///< m/s^2, root-link frame, root attribute
  std::string robot, source, license, description;
  std::optional<PayloadNote> payload;
  std::vector<std::string> notes;  ///< what was assumed or left out, one sentence each

  bool hasTime() const { return time.present; }
  bool hasVelocity() const { return velocity.present; }
  bool hasAcceleration() const { return acceleration.present; }
};

/// Consecutive rows of a log in SI units: time [rows] and matrices [rows x joints], which are empty
/// if the log does not have the channel. `effort` is in A if LogInfo::effort_kind is kCurrent. NaN
/// and Inf are kept.
struct RawBlock : RawSignals {
  std::int64_t first_row = 0;  ///< index of the first row in the log
  /// [joints] number of jumps by a full turn that were removed; empty: no joint was searched for
  /// jumps (LogReaderOptions::unwrapped).
  std::vector<std::int64_t> wraps = {};
};

/// Recordings of an inertial and a wrench sensor on one link, in link axes about the link's origin.
struct BodySamples {
  Eigen::MatrixXd angular_velocity;      ///< [rows x 3] rad/s
  Eigen::MatrixXd angular_acceleration;  ///< [rows x 3] rad/s^2; 0 x 0 if not recorded
  Eigen::MatrixXd linear_acceleration;   ///< [rows x 3] m/s^2, proper: -g at rest
  Eigen::MatrixXd wrench;  ///< [rows x 6] N, N m: on the link and all bodies behind it
};

/// Channels of the base in a log, as recorded; 0 x 0 for channels that the log does not have.
struct BaseSamples {
  Eigen::MatrixXd pose;    ///< [rows x 7] x y z [m], qx qy qz qw: pose of the base in the world
  Eigen::MatrixXd twist;   ///< [rows x 6] (v, w) m/s, rad/s
  Eigen::MatrixXd wrench;  ///< [rows x 6] (f, n) N, N m, exerted by the ground on the base
};

}  // namespace dynid
