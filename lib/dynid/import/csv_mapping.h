#pragma once

#include "dynid/import/csv.h"
#include "dynid/import/import.h"
#include "dynid/import/import_mapping.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Determines how a text file is converted to a log: by the given mapping, or, where that assigns
/// no columns, from its header, number of columns and first rows.
/// @param csv    the same file, opened
/// @param given  a mapping from a mapping file; may be empty
/// @throws InputError "file: ..." if the columns of time or position are not found or not unique;
///     UsageError for a wrong number of joint names, or a rate of a table that has times
ImportMapping mappingOfCsv(const std::filesystem::path& file,
                           const CsvReader& csv,
                           const ImportOptions& options,
                           std::optional<ImportMapping> given);

/// Index of the column, from 0.
/// @param path  for messages
/// @throws InputError if there is no such column, or two columns have the name
size_t findColumn(const ColumnRef& ref, const CsvReader& csv, const std::string& path);

/// The use of each column, for display to the user.
std::vector<TakenColumn> takenColumns(const ImportMapping& mapping,
                                      const CsvReader& csv,
                                      const std::string& path);

/// Names of the columns that are not used. @param path  for messages
std::vector<std::string> unusedColumns(const ImportMapping& mapping,
                                       const CsvReader& csv,
                                       const std::string& path);

}  // namespace dynid
