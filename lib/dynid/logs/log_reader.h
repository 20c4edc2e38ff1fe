#pragma once

#include "dynid/logs/log.h"
#include "dynid/signals/log_correction.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// Which columns of a log are read, and how.
struct LogReaderOptions {
  /// The columns of the blocks, in this order. Empty: all joints of the file, in its order, each
  /// revolute or prismatic according to its unit.
  std::vector<std::string> joints;
  /// Those of `joints` that are prismatic (m, N instead of rad, N m). Their units are checked
  /// accordingly.
  std::vector<std::string> prismatic;
  /// A log with fewer rows is refused.
  std::int64_t min_rows = 2;
  /// Try to read the file in a forked process first (0.5 ms), because a damaged file can crash the
  /// HDF5 library.
  bool try_in_worker = true;
  /// Applied to every row that is read, including the time stamps of readTime.
  LogCorrection correction = {};
  /// [columns] angles that are made continuous within each block that is read, where they were
  /// recorded modulo a full turn (AngleUnwrapper), and then shifted to a mean within half a turn
  /// of zero. Empty: none.
  std::vector<bool> unwrapped = {};
  /// Accept a trajectory file, which has the same channels; only `readTrajectory` sets this.
  bool accept_trajectory = false;
};

class StoredRows;

/// Reads an HDF5 log (format: datasets/README.md) in blocks, converted to SI, with columns selected
/// by joint name.
///
/// The constructor checks everything that can be checked without reading the samples: kinds of
/// links and storage, shapes, joint names, units. A reader is not thread-safe; several readers in
/// different threads are.
class LogReader {
 public:
  /// @throws InputError "path:/dataset: ..." if the file is not a valid log, does not contain a
  ///     requested joint, or has a unit that is unknown or does not fit the joint;
  ///     std::invalid_argument if `prismatic` is not a subset of `joints`, or if `correction` or
  ///     `unwrapped` does not fit the columns
  explicit LogReader(const std::filesystem::path& path, LogReaderOptions options = {});
  ~LogReader();
  LogReader(LogReader&&) noexcept;
  LogReader& operator=(LogReader&&) noexcept;

  /// Metadata of the log; available while the file is closed, too.
  const LogInfo& info() const;
  /// Names of the blocks' columns.
  const std::vector<std::string>& joints() const;
  /// One per column: whether it is read in m and N.
  const std::vector<bool>& prismatic() const;

  /// Reads rows [first, first + count) into `out`. If the log has no time stamps, time is row /
  /// sample_rate_hz.
  /// @throws std::invalid_argument if the range is not within [0, info().rows); InputError if the
  ///     data cannot be read (for example a chunk with a wrong checksum)
  void read(std::int64_t first, std::int64_t count, RawBlock& out) const;
  /// The same in two steps, without velocity and acceleration: readStored is not thread-safe;
  /// decoded, which undoes the compression, may run in any thread.
  StoredRows readStored(std::int64_t first, std::int64_t count) const;
  RawBlock decoded(StoredRows rows) const;

  /// Reads the time stamps of these rows only [s].
  Eigen::VectorXd readTime(std::int64_t first, std::int64_t count) const;

  /// Closes the file until something is read again. An open file needs half a megabyte and counts
  /// towards the process's limit of open files. Reading then @throws InputError if the file was
  /// changed meanwhile.
  void close() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The metadata of a log, without requesting particular joints; unknown units become notes.
/// @throws InputError as LogReader
LogInfo readLogInfo(const std::filesystem::path& path);

}  // namespace dynid
