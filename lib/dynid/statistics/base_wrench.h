#pragma once

#include "dynid/statistics/accumulate.h"

#include <filesystem>
#include <vector>

namespace dynid {

/// Whether a log holds what the ground exerts on the base (`base/wrench`). False for a log
/// that cannot be read: opening it as a LogSource reports why.
bool hasBaseWrench(const std::filesystem::path& log);

/// Columns that the ground's wrench depends on: those of all bodies and payloads.
std::vector<int> baseColumns(const ParameterLayout& layout, const std::vector<int>& columns);

/// Appends six channels (f, n) to the statistics and fills them from the logs that hold the wrench,
/// each in the frame its log gives it in: the noise is that of these components. A base in
/// free flight has a wrench of zero; its equations determine the ratios of the masses.
void addBaseChannels(const Robot& robot,
                     const std::vector<LogRows>& logs,
                     const ParameterLayout& layout,
                     const std::vector<int>& columns,
                     const WindowPass& pass,
                     Statistics& statistics);

}  // namespace dynid
