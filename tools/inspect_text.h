#pragma once

#include "dynid/logs/trajectory_file.h"
#include "dynid/model/model.h"
#include "dynid/statistics/gathered_statistics.h"

#include "log_summary.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace dynid::tool {

/// The results of `inspect` as text and as JSON.
std::string describe(const LogSummary& summary);
nlohmann::ordered_json toJson(const LogSummary& summary);

std::string describe(const TrajectoryFile& trajectory, const std::string& file);
nlohmann::ordered_json toJson(const TrajectoryFile& trajectory);

std::string describe(const GatheredStatistics& statistics, const std::string& file);
nlohmann::ordered_json toJson(const GatheredStatistics& statistics, const std::string& file);

nlohmann::ordered_json toJson(const Model& model, const std::string& file);

}  // namespace dynid::tool
