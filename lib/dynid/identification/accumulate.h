#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/log_source.h"
#include "dynid/identification/rows.h"
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
  Eigen::VectorXd to_effort;  ///< [actuators] times the recorded channel is the effort to fit
                              ///< (drive gains; 1 for efforts)
  RowCounts counts;           ///< of the last pass
  double used = 0.0;  ///< samples of the uniform clock that entered the fit, after decimation
};

/// Shares out `blocks` blocks over the logs by their length, at least one a log; fills first_block
/// and num_blocks.
void assignBlocks(std::vector<LogRun>& logs, int blocks);

/// The block of the statistics that a sample of the log at this (rebuilt) time belongs to.
int blockAt(const LogRun& log, double time);

/// One pass over the logs: rows and efforts go through the same zero-phase low-pass (parallel
/// filtering), are decimated, and compressed into triangular factors by channel, block, and moving
/// or still. Memory does not grow with the logs.
Statistics accumulate(std::vector<LogRun>& logs,
                      RowBuilder& builder,
                      const Progress& progress = {});

}  // namespace dynid
