#pragma once

#include "dynid/import/csv.h"
#include "dynid/import/import_mapping.h"

#include <string>
#include <vector>

namespace dynid {

/// Warnings about the topics in the names of the columns, as in /left/joint_states/elbow/position:
/// channels of a topic of commands, and efforts or velocities of another topic than the positions.
/// @param path  for messages
std::vector<std::string> warningsOfTopics(const ImportMapping& mapping,
                                          const CsvReader& csv,
                                          const std::string& path);

}  // namespace dynid
