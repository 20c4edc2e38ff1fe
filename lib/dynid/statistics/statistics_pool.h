#pragma once

#include "dynid/statistics/gathered_statistics.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace dynid {

/// Gathered statistics in an identification.
struct GatheredRun {
  std::shared_ptr<const GatheredStatistics> data;
  std::shared_ptr<const StatisticsView> view;
  std::vector<int> first_block, num_blocks;  ///< per stretch
  Eigen::VectorXd to_effort;                 ///< as LogRun
};

/// A file of gathered statistics on its way into a run.
struct StatisticsFile {
  std::filesystem::path path;
  GatheredStatistics recording;              ///< without factors
  std::vector<int> first_block, num_blocks;  ///< of the run, per stretch
};

/// The files' statistics, in blocks of the run. Those of the same recording are added up to one,
/// file by file, so that memory and later passes do not grow with their number.
/// @throws InputError for a file that cannot be read
std::vector<GatheredRun> pooled(const std::shared_ptr<const Robot>& robot,
                                const std::vector<StatisticsFile>& files,
                                double block_s);

}  // namespace dynid
