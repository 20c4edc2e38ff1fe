#pragma once

#include "dynid/import/import.h"
#include "dynid/import/import_mapping.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dynid {

/// Sets the names of the joints of `mapping`: the wanted ones, those in the rows, or joint_1,
/// joint_2, ... Columns whose rows hold the wanted names get the order of these.
/// @param wanted  names given by a mapping file without channels, or by the options; may be empty
/// @throws InputError, UsageError for a wrong number of names, or a name twice
void nameJoints(const std::filesystem::path& path,
                const ImportOptions& options,
                const std::vector<std::string>& wanted,
                const CsvFormat& format,
                ImportMapping& mapping);

/// Leaves those joints of a mapping that the options name, in this order.
/// @throws UsageError if one of them is not in the mapping
void chooseJoints(const std::vector<std::string>& wanted, ImportMapping& mapping);

}  // namespace dynid
