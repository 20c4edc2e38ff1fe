#pragma once

#include "dynid/core/progress.h"
#include "dynid/identification/log_source.h"
#include "dynid/identification/rows.h"
#include "dynid/identification/window_pass.h"
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

/// Cuts the logs into blocks of one length, the shortest of ..., 1/2, 1, 2, ... s that makes at
/// most `blocks`; fills first_block, num_blocks and block_s. A log shorter than that is one block.
/// (Blocks of twice the length are then pairs of blocks, which is what lets statistics of several
/// logs be merged as if they had been gathered together.)
void assignBlocks(std::vector<LogRun>& logs, int blocks);

/// The block of the statistics that a sample of the log at this (rebuilt) time belongs to.
int blockAt(const LogRun& log, double time);

/// The sources of the logs.
std::vector<const LogSource*> sourcesOf(const std::vector<LogRun>& logs);

/// One pass over the logs: rows and efforts go through the same zero-phase low-pass (parallel
/// filtering), are decimated, and compressed into triangular factors by channel, block, and moving
/// or still. Memory does not grow with the logs; the result does not depend on the threads.
Statistics accumulate(std::vector<LogRun>& logs,
                      const RowBuilder& builder,
                      const WindowPass& pass,
                      const Progress& progress = {});

}  // namespace dynid
