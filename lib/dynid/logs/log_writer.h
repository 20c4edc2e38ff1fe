#pragma once

#include "dynid/logs/base_channels.h"
#include "dynid/logs/body_channels.h"
#include "dynid/logs/log.h"

#include <Eigen/Core>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Which channels of a link are written.
struct BodyChannels {
  bool angular_velocity = true, angular_acceleration = true, linear_acceleration = true,
       wrench = true;
};

/// What stands at the head of a log that is written.
struct LogHeader {
  std::vector<std::string> joint_names;
  std::vector<bool> prismatic;  ///< one per joint: units m, N; empty: all are rad, N m
  bool has_velocity = true;
  bool has_acceleration = false;
  EffortKind effort_kind = EffortKind::kEffort;
  std::string robot, source, license, description;  ///< "" is not written
  std::optional<double> sample_rate_hz;
  std::optional<Eigen::Vector3d> gravity;  ///< m/s^2
  std::optional<PayloadNote> payload;
  std::vector<std::string> bodies;          ///< links with an inertial or a wrench sensor
  std::vector<BodyChannels> body_channels;  ///< one per link of `bodies`; empty: all of each
  /// False where nobody knows which joints slide: the channels then have no unit attribute, and a
  /// reader takes SI by the kind of each joint.
  bool joint_kinds_known = true;
  /// ns since 1970 or since the source's own zero, of time 0 of the log; not written if missing.
  std::optional<std::int64_t> time_origin_ns;
  std::string base_frame;  ///< of what is recorded of the base: "body", "space", "hybrid"; "": none
  bool base_moves = false;  ///< its pose and twist are recorded, not only the wrench on it
  /// 0 (fast) to 9 (small): deflate after shuffle. Change it for logs that are kept or shipped.
  int compression = 0;

  /// @throws std::invalid_argument naming the bad field.
  void check() const;
};

/// Appends blocks to a new HDF5 log. The file appears under its name only with `finish()`; until
/// then, and if something goes wrong, nothing is left. Chunks carry checksums.
class LogWriter {
 public:
  /// @throws OutputError when the directory is missing or not writable; std::invalid_argument from
  /// `header.check()`.
  LogWriter(const std::filesystem::path& path, const LogHeader& header);
  ~LogWriter();
  LogWriter(LogWriter&&) noexcept;
  LogWriter& operator=(LogWriter&&) noexcept;

  /// Appends the rows of `block` (SI; `first_row` is not looked at).
  /// @param bodies  one for each of the header's
  /// @param base    where the header announces it
  /// @throws std::invalid_argument when a channel that the header announces has the wrong shape;
  /// OutputError when the
  ///         disk is full.
  void append(const RawBlock& block,
              const std::vector<BodySamples>& bodies = {},
              const BaseSamples& base = {});

  /// Completes and renames. @throws OutputError; the destination is then untouched.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dynid
