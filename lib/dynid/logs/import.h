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

/// What was imported.
struct ImportResult {
  std::int64_t rows = 0;      ///< rows written
  std::int64_t bad_rows = 0;  ///< malformed lines left out (skip_bad_rows)
  std::vector<std::string> joint_names;
  bool has_velocity = false, has_acceleration = false;
  EffortKind effort_kind = EffortKind::kNone;
  std::vector<std::string> notes;  ///< what was recognised and assumed, a sentence each
};

/// Converts a CSV text file of any length to an HDF5 log in SI units, block by block.
/// @throws InputError "file:line: ..." for the text or the mapping file; OutputError for the log.
ImportResult importCsv(const std::filesystem::path& csv,
                       const std::filesystem::path& log,
                       const ImportOptions& options = {});

}  // namespace dynid
