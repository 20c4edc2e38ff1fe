#pragma once

#include "dynid/logs/log.h"

#include <Eigen/Core>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// The channels of a link that are written.
struct BodyChannels {
  bool angular_velocity = true, angular_acceleration = true, linear_acceleration = true,
       wrench = true;
};

/// Metadata of a log to be written.
struct LogHeader {
  std::vector<std::string> joint_names;  ///< one per column
  /// One per joint: units m and N; empty: all joints have rad and N m
  std::vector<bool> prismatic;
  bool has_velocity = true;                         ///< whether velocities are written
  bool has_acceleration = false;                    ///< whether accelerations are written
  EffortKind effort_kind = EffortKind::kEffort;     ///< content of the effort channel
  std::string robot, source, license, description;  ///< "" is not written
  std::optional<double> sample_rate_hz;             ///< written as root attribute if set
  std::optional<Eigen::Vector3d> gravity;           ///< m/s^2
  std::optional<PayloadNote> payload;               ///< payload during the recording
  std::vector<std::string> bodies;                  ///< links with an inertial or a wrench sensor
  /// One per link of `bodies`; empty: all channels of each
  std::vector<BodyChannels> body_channels;
  /// False if it is unknown which joints are prismatic. The channels then have no unit attribute,
  /// and a reader assumes SI according to the kind of each joint.
  bool joint_kinds_known = true;
  /// [ns] Time 0 of the log, since 1970 or since the zero of the source's clock; not written if
  /// missing.
  std::optional<std::int64_t> time_origin_ns;
  /// Frame of the recordings of the base: "body", "space", "hybrid"; "": none
  std::string base_frame;
  bool base_moves = false;  ///< pose and twist of the base are recorded, not only the wrench on it
  /// 0 (fast) to 9 (small): deflate after shuffle. Use a higher value for logs that are archived or
  /// shared.
  int compression = 0;

  /// @throws std::invalid_argument with the name of the invalid field
  void check() const;
};

/// Appends blocks to a new HDF5 log. The file appears under its name only after `finish()`; without
/// it, or after an error, no file is left. Chunks have checksums.
class LogWriter {
 public:
  /// @throws OutputError if the directory is missing or not writable; std::invalid_argument from
  ///     `header.check()`
  LogWriter(const std::filesystem::path& path, const LogHeader& header);
  ~LogWriter();
  LogWriter(LogWriter&&) noexcept;
  LogWriter& operator=(LogWriter&&) noexcept;

  /// Appends the rows of `block` (SI units; `first_row` is ignored).
  /// @param bodies  one per link of the header's `bodies`
  /// @param base    if the header announces it
  /// @throws std::invalid_argument if a channel that the header announces has the wrong shape;
  ///     OutputError if the disk is full
  void append(const RawBlock& block,
              const std::vector<BodySamples>& bodies = {},
              const BaseSamples& base = {});

  /// Completes and renames the file. @throws OutputError; the destination is then unchanged
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dynid
