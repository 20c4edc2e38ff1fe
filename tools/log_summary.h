#pragma once

#include "dynid/core/progress.h"
#include "dynid/diagnosis/diagnosis.h"
#include "dynid/logs/log.h"
#include "dynid/robot/robot.h"
#include "dynid/signals/audit.h"

#include <Eigen/Core>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid::tool {

/// Extremes of one column of a channel, over the rows that are finite.
struct Range {
  double lower = std::numeric_limits<double>::infinity();
  double upper = -std::numeric_limits<double>::infinity();
  std::int64_t not_finite = 0;
};

struct ChannelSummary {
  std::string name;  ///< "position", "velocity", ...
  std::string unit;  ///< of the ranges: SI, for joints that turn; see LogSummary::prismatic
  std::vector<Range> joints;
};

/// What a log holds, in numbers.
struct LogSummary {
  LogInfo info;
  std::vector<std::string> joints;  ///< the columns looked at
  std::vector<bool> prismatic;      ///< by the robot, or by the units in the file
  double first_s = 0.0, last_s = 0.0;
  double median_step_s = 0.0;
  std::vector<ChannelSummary> channels;
  std::vector<Finding> findings;       ///< of diagnosis and audit
  std::optional<Diagnosis> diagnosis;  ///< where the robot is known and the audit does not refuse
};

/// Reads the whole log once, block by block, and audits up to eight windows of it.
/// @param robot  names the columns, the prismatic joints and the limits; the audit is then that of
/// `identify`. nullptr: all columns, limits unknown
/// @throws InputError as LogReader
LogSummary summariseLog(const std::filesystem::path& path,
                        const std::shared_ptr<const Robot>& robot,
                        const Progress& progress);

}  // namespace dynid::tool
