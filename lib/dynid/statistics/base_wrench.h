#pragma once

#include "dynid/statistics/accumulate.h"

#include <filesystem>
#include <vector>

namespace dynid {

/// Whether a log holds what the ground exerts on the base (`base/wrench`). What is wrong with a log
/// that cannot be read is for its LogSource to say.
bool hasBaseWrench(const std::filesystem::path& log);

/// Columns that the ground's wrench depends on: all bodies and loads.
std::vector<int> baseColumns(const ParameterLayout& layout, const std::vector<int>& columns);

/// Appends six channels (f, n) to the statistics and fills them from the logs that hold the wrench,
/// each in the frame its log gives it in: the noise is that of these components. A base that
/// nothing holds has the wrench zero: its equations say how the masses share out.
void addBaseChannels(const Robot& robot,
                     const std::vector<LogRun>& logs,
                     const ParameterLayout& layout,
                     const std::vector<int>& columns,
                     const WindowPass& pass,
                     Statistics& statistics);

}  // namespace dynid
