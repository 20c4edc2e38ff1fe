#pragma once

#include "dynid/logs/log.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

inline constexpr Eigen::Index kImportRows = 4096;  ///< written at a time
/// Larger integers are rounded when they become doubles.
inline constexpr std::int64_t kExactInDouble = std::int64_t{1} << 53;

/// Settings of `dynid import`.
struct ImportOptions {
  /// TOML file (see import_mapping.h); none, or one without columns: the names in the header are
  /// recognised.
  std::optional<std::filesystem::path> mapping;
  /// Rows per second [Hz] of a table without times, as sample_rate_hz of a mapping; > 0.
  std::optional<double> rate_hz;
  /// Names of the joints, if neither mapping nor header has them. If they have: those that are
  /// taken, in this order.
  std::vector<std::string> joints;
  /// Malformed lines are counted and skipped instead of refusing the file
  bool skip_bad_rows = false;
  int compression = 4;  ///< of the written log, 0 to 9
};

/// The use of one column of the source.
struct TakenColumn {
  std::string source;  ///< name or index of the column, or topic and field
  /// Time, position, velocity, acceleration, effort, current, or a channel of a body
  std::string channel;
  std::string joint;  ///< name of the joint, or of several
  std::string unit;   ///< of the source, with the conversion to SI
};

/// Result of an import.
struct ImportResult {
  std::int64_t rows = 0;      ///< rows written
  std::int64_t bad_rows = 0;  ///< malformed lines that were skipped (skip_bad_rows)
  std::vector<std::string> joint_names;
  bool has_velocity = false, has_acceleration = false;
  EffortKind effort_kind = EffortKind::kNone;
  std::vector<TakenColumn> taken;
  std::vector<std::string> notes;     ///< what was recognised and assumed, one sentence each
  std::vector<std::string> warnings;  ///< suspicious findings with their remedy, one sentence each
  std::vector<std::string> losses;    ///< damaged or missing parts of the source, one sentence each
};

/// Converts a CSV text file of any length to an HDF5 log in SI units, block by block.
/// @throws InputError "file:line: ..." for the text or the mapping file; OutputError for the log;
///     UsageError for options that do not fit the table
ImportResult importCsv(const std::filesystem::path& csv,
                       const std::filesystem::path& log,
                       const ImportOptions& options = {});

}  // namespace dynid
