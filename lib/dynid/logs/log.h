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

/// What the third channel of a log holds: joint effort (N m, N), motor current (A), or nothing.
enum class EffortKind { kEffort, kCurrent, kNone };

/// "effort", "current" or "none".
std::string toText(EffortKind kind);

/// A load the robot carried while the log was recorded. What is not known is NaN or missing.
struct PayloadNote {
  std::string link;  ///< the link it is fixed to; empty: the robot description's `[payload] link`
  std::string name;  ///< logs with the same name share the load's parameters; may be empty
  double mass = std::numeric_limits<double>::quiet_NaN();  ///< kg
  std::optional<Eigen::Vector3d> com;                      ///< m, link frame
  /// Ixx Ixy Ixz Iyy Iyz Izz about the centre of mass, link axes, kg m^2.
  std::optional<Eigen::Matrix<double, 6, 1>> inertia;
};

/// A channel as found in the file: its units as written, one per column of the file.
struct ChannelInfo {
  bool present = false;
  std::int64_t rows = 0;
  /// As written, one per joint of the file (one for time); "" where the file says nothing.
  std::vector<std::string> units;
  bool unit_per_joint = false;  ///< the file has one unit per joint, not one for all
};

/// What an HDF5 log says about itself.
struct LogInfo {
  std::filesystem::path path;
  std::int64_t rows = 0;                 ///< the rows that all datasets have
  std::vector<std::string> joint_names;  ///< all columns of the file, in the file's order
  ChannelInfo time, position, velocity, acceleration;
  ChannelInfo effort;  ///< holds currents where effort_kind is kCurrent
  EffortKind effort_kind = EffortKind::kNone;
  std::optional<double> sample_rate_hz;    ///< root attribute
  std::optional<Eigen::Vector3d> gravity;  ///< m/s^2, root-link frame, root attribute
  std::string robot, source, license, description;
  std::optional<PayloadNote> payload;
  std::vector<std::string> notes;  ///< what was assumed or left out, a sentence each

  bool hasTime() const { return time.present; }
  bool hasVelocity() const { return velocity.present; }
  bool hasAcceleration() const { return acceleration.present; }
};

/// Consecutive rows of a log in SI units, for the signals room: time [rows], matrices [rows x
/// joints], empty where the log has no such channel. `effort` is in A where LogInfo::effort_kind is
/// kCurrent. NaN and Inf stay as recorded.
struct RawBlock : RawSignals {
  std::int64_t first_row = 0;  ///< of the log
};

}  // namespace dynid
