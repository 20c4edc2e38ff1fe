#include "dynid/statistics/statistics_pool.h"

#include "dynid/core/errors.h"
#include "dynid/statistics/statistics_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace dynid {
namespace {

// The statistics that are being merged; stretches that share a block count as one.
struct Pool {
  std::shared_ptr<GatheredStatistics> sum;
  std::vector<int> first_block, num_blocks;
  std::filesystem::path first_file;
};

Pool emptyPool(const StatisticsFile& file, double block_s) {
  Pool pool{std::make_shared<GatheredStatistics>(file.recording), {}, {}, file.path};
  pool.sum->logs.clear();
  pool.sum->stretch_durations.clear();
  pool.sum->stretch_periods.clear();
  pool.sum->statistics.block_log.clear();
  pool.sum->block_s = block_s;
  return pool;
}

// Adds the blocks of a stretch to the pool.
// @returns its first block in the pool
int addStretch(int first_block, int num_blocks, double duration, double period, Pool& pool) {
  Statistics& statistics = pool.sum->statistics;
  std::vector<double>& durations = pool.sum->stretch_durations;
  if (!pool.first_block.empty() && pool.first_block.back() == first_block) {
    durations.back() = std::max(durations.back(), duration);
    pool.sum->stretch_periods.back() = 0.0;
    return statistics.numBlocks() - pool.num_blocks.back();
  }
  const int begin = statistics.numBlocks();
  pool.first_block.push_back(first_block);
  pool.num_blocks.push_back(num_blocks);
  durations.push_back(duration);
  pool.sum->stretch_periods.push_back(period);
  statistics.block_log.resize(static_cast<size_t>(begin) + static_cast<size_t>(num_blocks));
  for (ChannelStatistics& channel : statistics.channels) {
    const TriangularFactor empty(static_cast<Eigen::Index>(channel.columns.size()) + 1);
    channel.moving.resize(statistics.block_log.size(), empty);
    channel.standstill.resize(statistics.block_log.size(), empty);
  }
  return begin;
}

void addFile(const Robot& robot, const StatisticsFile& file, Pool& pool) {
  GatheredStatistics gathered = file.recording;
  readFactors(file.path, robot, gathered);
  std::vector<int> first;
  for (size_t s = 0; s < file.first_block.size(); ++s)
    first.push_back(addStretch(file.first_block[s],
                               file.num_blocks[s],
                               gathered.stretch_durations[s],
                               gathered.stretch_periods[s],
                               pool));
  addFactors(gathered, first, file.num_blocks, pool.sum->statistics);
  pool.sum->typical_speed = pool.sum->typical_speed.cwiseMax(gathered.typical_speed);
  pool.sum->logs.insert(pool.sum->logs.end(), gathered.logs.begin(), gathered.logs.end());
}

}  // namespace

std::vector<PooledStatistics> pooled(const std::shared_ptr<const Robot>& robot,
                                     const std::vector<StatisticsFile>& files,
                                     double block_s) {
  std::vector<Pool> pools;
  for (const StatisticsFile& file : files) {
    auto pool = std::find_if(pools.begin(), pools.end(), [&](const Pool& known) {
      return sameRecording(*known.sum, file.recording);
    });
    if (pool == pools.end()) pool = pools.insert(pools.end(), emptyPool(file, block_s));
    addFile(*robot, file, *pool);
  }
  std::vector<PooledStatistics> result;
  for (Pool& pool : pools) {
    auto view = std::make_shared<const StatisticsView>(robot, *pool.sum);
    if (const std::string column = view->columnOfAnotherBase(); !column.empty())
      throw InputError(fmt::format(
          "{}: holds the parameter \"{}\", which is not a base parameter of this robot; an earlier "
          "version of dynid recorded it: record the statistics again (dynid identify LOG.h5 "
          "`keep_statistics`)",
          pool.first_file.string(),
          column));
    result.push_back({std::move(pool.sum),
                      std::move(view),
                      std::move(pool.first_block),
                      std::move(pool.num_blocks)});
  }
  return result;
}

}  // namespace dynid
