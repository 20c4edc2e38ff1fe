#pragma once

#include "dynid/statistics/gathered_statistics.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace dynid {

/// Saved statistics of other logs, assigned to the blocks of an identification.
struct PooledStatistics {
  std::shared_ptr<const GatheredStatistics> data;
  std::shared_ptr<const StatisticsView> view;
  /// Per stretch: index of the first block, number of blocks
  std::vector<int> first_block, num_blocks;
};

/// A file of saved statistics and its place in an identification.
struct StatisticsFile {
  std::filesystem::path path;
  GatheredStatistics recording;              ///< without factors
  std::vector<int> first_block, num_blocks;  ///< per stretch: blocks of the identification
};

/// Reads the statistics of the files, in blocks of the identification. Statistics of the same
/// recording (sameRecording) are merged file by file, so that memory and the time of later passes
/// do not grow with their number.
/// @throws InputError for a file that cannot be read, or that holds other base parameters
std::vector<PooledStatistics> pooled(const std::shared_ptr<const Robot>& robot,
                                     const std::vector<StatisticsFile>& files,
                                     double block_s);

}  // namespace dynid
