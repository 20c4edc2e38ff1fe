#pragma once

#include "dynid/logs/csv.h"
#include "dynid/logs/import.h"
#include "dynid/logs/import_mapping.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// How a text file becomes a log: the mapping that the caller gave, or what its header, the number
/// of its columns and its first rows tell.
/// @param csv    the same file, opened
/// @param given  a mapping that was read from a file, or nothing
/// @throws InputError "file: ..." where columns of times or positions are not found, or are not the
/// only ones; UsageError for a number of joint names that does not fit
ImportMapping mappingOfCsv(const std::filesystem::path& file,
                           const CsvReader& csv,
                           const ImportOptions& options,
                           std::optional<ImportMapping> given);

/// The column that is meant, from 0. @param path  for messages
/// @throws InputError if there is no such column, or two of the name
size_t findColumn(const ColumnRef& ref, const CsvReader& csv, const std::string& path);

/// What each column becomes, for the user to see.
std::vector<TakenColumn> takenColumns(const ImportMapping& mapping,
                                      const CsvReader& csv,
                                      const std::string& path);

}  // namespace dynid
