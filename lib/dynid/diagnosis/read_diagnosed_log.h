#pragma once

#include "dynid/diagnosis/diagnosis.h"
#include "dynid/signals/log_correction.h"

#include <filesystem>
#include <limits>

namespace dynid {

/// Reads the rows that the diagnosis examines: the whole log if it has up to 200,000 rows,
/// otherwise twenty parts of 10,000 rows, evenly spread.
/// @param correction  applied to the rows while they are read
/// @param from_s, to_s  [s] part of the log, as timeRange takes them
/// @throws InputError as LogReader and timeRange do
DiagnosedLog readDiagnosedLog(const Robot& robot,
                              const std::filesystem::path& path,
                              const LogCorrection& correction = {},
                              double from_s = -std::numeric_limits<double>::infinity(),
                              double to_s = std::numeric_limits<double>::infinity());

}  // namespace dynid
