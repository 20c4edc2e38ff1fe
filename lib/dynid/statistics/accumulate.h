#pragma once

#include "dynid/core/progress.h"
#include "dynid/equations/equation_rows.h"
#include "dynid/recordings/log_source.h"
#include "dynid/recordings/window_pass.h"
#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// The consecutive blocks of the statistics that a log's samples go to.
struct LogBlocks {
  int first = 0;
  int count = 1;
  double length_s = 0.0;  ///< of each block; the last one takes the rest
};

/// One log as a pass over its rows sees it.
struct LogRows {
  std::shared_ptr<const LogSource> source;
  LogBlocks blocks;
  std::optional<PayloadPlacement> payload;
  /// [actuators] times the recorded channel is the effort to fit (drive gains; 1 for efforts).
  Eigen::VectorXd to_effort;
};

/// What became of a log's samples in a pass.
struct LogUse {
  RowCounts counts;
  double used = 0.0;  ///< samples of the uniform clock that entered the fit, after decimation
};

/// The block of the statistics that a sample of the log at this (rebuilt) time belongs to.
int blockAt(const LogSource& source, const LogBlocks& blocks, double time);

/// What was noted, repaired and dropped in the log.
std::vector<std::string> logNotes(const LogSource& source, const RowCounts& counts);

/// The sources of the logs.
std::vector<const LogSource*> sourcesOf(const std::vector<LogRows>& logs);

/// Statistics of these columns without rows in them.
/// @param block_log  per block the log it belongs to
Statistics emptyStatistics(const EquationRows& equations, const std::vector<int>& block_log);

/// One pass over the logs, added to `sum`: rows and efforts of the equations go through the same
/// zero-phase low-pass (parallel filtering), are decimated, and compressed into triangular factors
/// by channel, block, and moving or at standstill. Memory does not grow with the logs; the result
/// does not depend on the threads.
/// @returns one entry per log
std::vector<LogUse> accumulate(const std::vector<LogRows>& logs,
                               const EquationRows& equations,
                               const WindowPass& pass,
                               Statistics& sum,
                               const Progress& progress = {});

}  // namespace dynid
