#pragma once

#include "dynid/import/csv.h"
#include "dynid/import/import_mapping.h"

#include <string>
#include <vector>

namespace dynid {

/// Names of the header with the units from the row below it: "q0 [deg]".
std::vector<std::string> namesWithUnits(const CsvReader& csv);

/// @throws InputError for a joint that a mapping file calls prismatic and whose column is an angle
[[noreturn]] void throwAngleOfPrismatic(const std::string& column,
                                        const std::string& joint,
                                        const std::string& path);

/// Takes the units that a mapping file leaves open (no `unit`, and for channels no `scale`) from
/// the names of the columns: "Moment A1 [Nm]", "t_ms". Adds a warning where such a unit is not
/// known, and a note where there is none.
/// @param path  for messages
/// @throws InputError if a joint is prismatic in the mapping, and its position an angle
void takeOpenUnits(const CsvReader& csv, const std::string& path, ImportMapping& mapping);

}  // namespace dynid
