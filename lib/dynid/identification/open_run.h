#pragma once

#include "dynid/identification/stage.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace dynid {

/// Opens, looks at and audits the logs, reads the statistics, and settles what they share: cut-off,
/// loads, blocks, speeds.
///
/// @throws InputError if a log is unusable, or statistics belong to another robot or gravity
Run openRun(std::shared_ptr<const Robot> robot,
            const std::vector<LogInput>& logs,
            const std::vector<std::filesystem::path>& statistics,
            const IdentificationSettings& settings,
            const Progress& progress);

}  // namespace dynid
