#pragma once

#include "dynid/statistics/accumulate.h"

#include <filesystem>
#include <vector>

namespace dynid {

/// Whether a log contains the wrench that the ground exerts on the base (`base/wrench`). False for
/// an unreadable log; opening it as a LogSource reports the reason.
bool hasBaseWrench(const std::filesystem::path& log);

/// The columns on which the ground's wrench depends: those of all bodies and payloads.
std::vector<int> baseColumns(const ParameterLayout& layout, const std::vector<int>& columns);

/// Appends six channels (f, n) to the statistics and fills them from the logs that contain the
/// wrench. The components are those of the frame in which the log gives the wrench, because the
/// noise belongs to these components. For a base in free flight the wrench is zero, and its
/// equations determine the ratios of the masses.
/// @param use  per log; rows without a wrench are noted there
void addBaseChannels(const Robot& robot,
                     const std::vector<LogRows>& logs,
                     const ParameterLayout& layout,
                     const std::vector<int>& columns,
                     const WindowPass& pass,
                     Statistics& statistics,
                     std::vector<LogUse>& use);

}  // namespace dynid
