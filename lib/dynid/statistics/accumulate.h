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

/// The consecutive blocks of the statistics to which the samples of a log are assigned.
struct LogBlocks {
  int first = 0;
  int count = 1;
  double length_s = 0.0;  ///< [s] of each block; the last one is extended to the end of the log
};

/// One log as the input of a pass over its rows.
struct LogRows {
  std::shared_ptr<const LogSource> source;
  LogBlocks blocks;
  std::optional<PayloadPlacement> payload;
  /// [actuators] Factor from the recorded channel to the effort to fit (drive gain; 1 if the log
  /// contains efforts).
  Eigen::VectorXd to_effort;
};

/// Number of samples of a log that a pass used and left out.
struct LogUse {
  RowCounts counts;
  double used = 0.0;  ///< samples on the uniform clock that entered the fit, after decimation
  std::vector<std::string> sensor_notes;  ///< what the equations of its sensors left out
};

/// The block of the statistics to which a sample at this time (rebuilt clock) belongs.
int blockAt(const LogSource& source, const LogBlocks& blocks, double time);

/// Notes for the user: remarks of the reader, and what was repaired or dropped in the log.
std::vector<std::string> logNotes(const LogSource& source, const LogUse& use);

/// The sources of the logs, in their order.
std::vector<const LogSource*> sourcesOf(const std::vector<LogRows>& logs);

/// Statistics of these columns without any rows.
/// @param block_log  per block: index of the log to which it belongs
Statistics emptyStatistics(const EquationRows& equations, const std::vector<int>& block_log);

/// Passes over the logs once and adds their rows to `sum`. Rows and efforts of the equations pass
/// through the same zero-phase low-pass filter (parallel filtering), are decimated, and compressed
/// to triangular factors per channel, per block, and separately for moving rows and rows at
/// standstill. Memory does not grow with the length of the logs, and the result does not depend on
/// the number of threads.
/// @returns one entry per log
std::vector<LogUse> accumulate(const std::vector<LogRows>& logs,
                               const EquationRows& equations,
                               const WindowPass& pass,
                               Statistics& sum,
                               const Progress& progress = {});

}  // namespace dynid
