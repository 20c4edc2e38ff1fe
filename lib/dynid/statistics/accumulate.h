#pragma once

#include "dynid/core/progress.h"
#include "dynid/equations/equation_rows.h"
#include "dynid/recordings/log_source.h"
#include "dynid/recordings/window_pass.h"
#include "dynid/regression/statistics.h"

#include <Eigen/Core>

#include <memory>
#include <optional>
#include <vector>

namespace dynid {

/// One log in an identification.
struct LogRun {
  std::shared_ptr<LogSource> source;
  std::optional<PayloadPlacement> payload;
  int first_block = 0;  ///< of the statistics
  int num_blocks = 1;
  double block_s = 0.0;       ///< length of its blocks; the last one takes the rest
  Eigen::VectorXd to_effort;  ///< [actuators] times the recorded channel is the effort to fit
                              ///< (drive gains; 1 for efforts)
  RowCounts counts;           ///< of the last pass
  double used = 0.0;  ///< samples of the uniform clock that entered the fit, after decimation
};

/// The block of the statistics that a sample of the log at this (rebuilt) time belongs to.
int blockAt(const LogRun& log, double time);

/// What was noted, repaired and dropped in the log.
std::vector<std::string> logNotes(const LogRun& log);

/// The sources of the logs.
std::vector<const LogSource*> sourcesOf(const std::vector<LogRun>& logs);

/// Statistics of these columns without rows in them.
/// @param block_log  per block the log it belongs to
Statistics emptyStatistics(const EquationRows& equations, const std::vector<int>& block_log);

/// One pass over the logs, added to `sum`: rows and efforts of the equations go through the same
/// zero-phase low-pass (parallel filtering), are decimated, and compressed into triangular factors
/// by channel, block, and moving or still. Memory does not grow with the logs; the result does not
/// depend on the threads.
void accumulate(std::vector<LogRun>& logs,
                const EquationRows& equations,
                const WindowPass& pass,
                Statistics& sum,
                const Progress& progress = {});

}  // namespace dynid
