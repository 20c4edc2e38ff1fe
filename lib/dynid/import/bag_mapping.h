#pragma once

#include "dynid/import/bag_plan.h"
#include "dynid/import/import_mapping.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace dynid {

/// Adds the channels of a recording to a mapping, and applies the tables of its file to them.
/// @param file     the mapping file; may be missing
/// @param mapping  read from it by readMappingOfMessages
/// @returns the mapping with one factor per joint of `plan`; with `current` in place of `effort` if
///     the file has [current]
/// @throws InputError "path:line: ..." for a table that does not fit the recording
ImportMapping mappingOfBag(const std::optional<std::filesystem::path>& file,
                           ImportMapping mapping,
                           const BagPlan& plan);

/// The factors of the numbers in a row of the plan.
std::vector<double> factorsOfRow(const ImportMapping& mapping, const BagPlan& plan);

/// Says in the table of columns and in the notes what the mapping changes.
void noteMapping(const ImportMapping& mapping, ImportResult& result);

}  // namespace dynid
