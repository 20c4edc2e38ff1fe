#pragma once

#include "dynid/logs/h5_chunks.h"
#include "dynid/logs/log.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace dynid {

/// Which columns of a log are wanted, and how.
struct LogReaderOptions {
  /// The columns of the blocks, in this order; empty: all joints of the file, in its order,
  /// each of the kind that its unit says.
  std::vector<std::string> joints;
  /// Those of `joints` that are prismatic (m, N instead of rad, N m). Decides what a unit has to
  /// be.
  std::vector<std::string> prismatic;
  /// A log with fewer rows is refused.
  std::int64_t min_rows = 2;
  /// Try the file in a forked process first (0.5 ms), because a damaged file can crash the HDF5
  /// library itself.
  bool try_in_worker = true;
  /// A file that calls itself a trajectory has the same channels; only `readTrajectory` wants it.
  bool accept_trajectory = false;
};

/// Position and effort of some rows of a log as the file has them, perhaps still compressed.
class StoredRows {
 private:
  friend class LogReader;
  /// Numbers in SI where HDF5 has read them, else chunks.
  struct Channel {
    Eigen::MatrixXd numbers;
    StoredChunks chunks;
  };
  std::int64_t first_ = 0, count_ = 0;
  Channel time_, position_, effort_;
};

/// Reads an HDF5 log (INTERFACES, "HDF5 log") in blocks, converted to SI, columns by joint name.
///
/// Everything that can be checked without reading the samples is checked by the constructor: kinds
/// of links and storage, shapes, joint names, units. Not to be shared between threads; one reader
/// per thread is fine.
class LogReader {
 public:
  /// @throws InputError "path:/dataset: ..." when the file is not a log that can be used, lacks a
  /// joint that is asked
  ///         for, or has a unit that is unknown or does not fit the joint; std::invalid_argument
  ///         when `prismatic` is not a subset of `joints`.
  explicit LogReader(const std::filesystem::path& path, LogReaderOptions options = {});
  ~LogReader();
  LogReader(LogReader&&) noexcept;
  LogReader& operator=(LogReader&&) noexcept;

  const LogInfo& info() const;
  /// Names of the blocks' columns.
  const std::vector<std::string>& joints() const;
  /// Which of them are read in m and N.
  const std::vector<bool>& prismatic() const;

  /// Rows [first, first + count) into `out`. Without time stamps in the
  /// log, time = row / sample_rate_hz.
  /// @throws std::invalid_argument when the range leaves [0, info().rows); InputError when the data
  /// cannot be read
  ///         (a damaged chunk: its checksum is wrong).
  void read(std::int64_t first, std::int64_t count, RawBlock& out) const;
  /// The same in two steps, without velocity and acceleration: what has to be read by one thread
  /// at a time, and what any thread may do, for instance to undo compression.
  StoredRows readStored(std::int64_t first, std::int64_t count) const;
  RawBlock decoded(StoredRows rows) const;

  /// Only the time stamps of the same rows, s.
  Eigen::VectorXd readTime(std::int64_t first, std::int64_t count) const;

  /// Gives the file back until something is read again: an open one costs half a megabyte, and one
  /// of the files that a process may have. Reading then @throws InputError where it was changed
  void close() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What the log at `path` says about itself, without asking for particular joints; units that are
/// not known become notes. @throws InputError as LogReader.
LogInfo readLogInfo(const std::filesystem::path& path);

}  // namespace dynid
