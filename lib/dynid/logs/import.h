#pragma once

#include "dynid/logs/log.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// What `dynid import` is asked to do.
struct ImportOptions {
  std::optional<std::filesystem::path>
      mapping;  ///< TOML (see import_mapping.h); none: recognise the names of the header
  std::vector<std::string>
      joints;                  ///< names for the columns, where neither mapping nor header has them
  bool skip_bad_rows = false;  ///< count malformed lines instead of refusing the file
  int compression = 4;         ///< of the log written, 0 to 9
};

/// What a column of the source became.
struct TakenColumn {
  std::string source;   ///< name or number of the column, or topic and field
  std::string channel;  ///< time, position, velocity, acceleration, effort, current, or of a body
  std::string joint;    ///< or the names of several
  std::string unit;     ///< of the source, and how it became SI
};

/// What was imported.
struct ImportResult {
  std::int64_t rows = 0;      ///< rows written
  std::int64_t bad_rows = 0;  ///< malformed lines left out (skip_bad_rows)
  std::vector<std::string> joint_names;
  bool has_velocity = false, has_acceleration = false;
  EffortKind effort_kind = EffortKind::kNone;
  std::vector<TakenColumn> taken;
  std::vector<std::string> notes;     ///< what was recognised and assumed, a sentence each
  std::vector<std::string> warnings;  ///< what looks wrong, and its remedy, a sentence each
  std::vector<std::string> losses;    ///< what of the source is damaged or missing, a sentence each
};

/// Converts a CSV text file of any length to an HDF5 log in SI units, block by block.
/// @throws InputError "file:line: ..." for the text or the mapping file; OutputError for the log.
ImportResult importCsv(const std::filesystem::path& csv,
                       const std::filesystem::path& log,
                       const ImportOptions& options = {});

}  // namespace dynid
