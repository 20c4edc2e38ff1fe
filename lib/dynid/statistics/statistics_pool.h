#pragma once

#include "dynid/statistics/gathered_statistics.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace dynid {

/// Gathered statistics of other logs in the blocks of an identification.
struct PooledStatistics {
  std::shared_ptr<const GatheredStatistics> data;
  std::shared_ptr<const StatisticsView> view;
  std::vector<int> first_block, num_blocks;  ///< per stretch
};

/// A file of gathered statistics on its way into an identification.
struct StatisticsFile {
  std::filesystem::path path;
  GatheredStatistics recording;              ///< without factors
  std::vector<int> first_block, num_blocks;  ///< of the identification, per stretch
};

/// The files' statistics, in blocks of the identification. Those of the same recording are added up
/// to one, file by file, so that memory and later passes do not grow with their number.
/// @throws InputError for a file that cannot be read
std::vector<PooledStatistics> pooled(const std::shared_ptr<const Robot>& robot,
                                     const std::vector<StatisticsFile>& files,
                                     double block_s);

}  // namespace dynid
