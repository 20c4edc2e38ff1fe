#pragma once

#include "dynid/core/progress.h"
#include "dynid/diagnosis/diagnosis.h"
#include "dynid/logs/log.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"

#include <Eigen/Core>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid::tool {

/// Range of one column of a channel, over its finite rows.
struct Range {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();
  std::int64_t not_finite = 0;
};

struct ChannelSummary {
  std::string name;  ///< "position", "velocity", ...
  std::string unit;  ///< unit of the ranges: SI for revolute joints; see LogSummary::prismatic
  std::vector<Range> joints;
};

/// Statistics of the content of a log.
struct LogSummary {
  LogInfo info;
  std::vector<std::string> joints;  ///< the summarised columns
  std::vector<bool> prismatic;      ///< according to the robot, or to the units in the file
  /// [s] First and last usable time stamp; NaN: there is none
  double first_s = std::numeric_limits<double>::quiet_NaN();
  double last_s = std::numeric_limits<double>::quiet_NaN();
  double median_step_s = 0.0;
  std::vector<ChannelSummary> channels;
  std::vector<Finding> findings;  ///< of the diagnosis and the audit
  /// If the robot is known and the audit does not refuse the log
  std::optional<Diagnosis> diagnosis;
};

/// Reads the whole log once, block by block, and audits up to eight excerpts.
/// @param robot  determines the columns, the prismatic joints and the limits; the audit is then
///     that of `identify`. nullptr: all columns, unknown limits
/// @param threads  the result does not depend on it
/// @throws InputError as LogReader
LogSummary summariseLog(const std::filesystem::path& path,
                        const std::shared_ptr<const Robot>& robot,
                        int threads,
                        const Progress& progress);

}  // namespace dynid::tool
