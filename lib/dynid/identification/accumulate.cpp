#include "dynid/identification/accumulate.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

// Adds the chosen samples of one window and channel to the block they belong to, moving and still
// rows apart.
class BlockSorter {
 public:
  BlockSorter(const LogRun& log, const ActuatorSignals& signals)
      : signals_(signals),
        samples_(coreSamples(signals.joint, log.source->plan(), signals.begin, signals.end)) {
    for (Eigen::Index sample : samples_)
      blocks_.push_back(blockAt(log, signals.joint.time(sample)));
  }

  size_t size() const { return samples_.size(); }

  void add(int actuator, const Eigen::MatrixXd& rows, ChannelStatistics& channel) const {
    size_t i = 0;
    while (i < samples_.size()) {  // runs of samples in one block
      std::vector<Eigen::Index> moving, still;
      const int block = blocks_[i];
      for (; i < samples_.size() && blocks_[i] == block; ++i)
        (signals_.moving(samples_[i], actuator) ? moving : still).push_back(samples_[i]);
      const auto b = static_cast<size_t>(block);
      if (!moving.empty()) channel.moving[b].add(rows(moving, Eigen::all));
      if (!still.empty()) channel.still[b].add(rows(still, Eigen::all));
    }
  }

 private:
  const ActuatorSignals& signals_;
  std::vector<Eigen::Index> samples_;
  std::vector<int> blocks_;
};

Statistics emptyStatistics(const std::vector<LogRun>& logs, const RowBuilder& builder) {
  Statistics statistics;
  statistics.layout_size = builder.layout().size();
  for (size_t i = 0; i < logs.size(); ++i)
    statistics.block_log.insert(
        statistics.block_log.end(), static_cast<size_t>(logs[i].num_blocks), static_cast<int>(i));
  for (Eigen::Index a = 0; a < logs.front().to_effort.size(); ++a) {
    ChannelStatistics channel;
    channel.columns = builder.columns(static_cast<int>(a));
    const TriangularFactor empty(static_cast<Eigen::Index>(channel.columns.size()) + 1);
    channel.moving.assign(statistics.block_log.size(), empty);
    channel.still = channel.moving;
    statistics.channels.push_back(std::move(channel));
  }
  return statistics;
}

}  // namespace

int blockAt(const LogRun& log, double time) {
  const double length = std::max(log.source->duration(), log.source->plan().dt);
  const double share = (time - log.source->plan().clock.origin) / length;
  const int block = static_cast<int>(std::floor(share * log.num_blocks));
  return log.first_block + std::clamp(block, 0, log.num_blocks - 1);
}

void assignBlocks(std::vector<LogRun>& logs, int blocks) {
  double total = 0.0;
  for (const LogRun& log : logs) total += std::max(log.source->duration(), 1e-9);
  int next = 0;
  for (LogRun& log : logs) {
    log.first_block = next;
    const double share = std::max(log.source->duration(), 1e-9) / total;
    log.num_blocks = std::max(1, static_cast<int>(std::lround(blocks * share)));
    next += log.num_blocks;
  }
}

Statistics accumulate(std::vector<LogRun>& logs, RowBuilder& builder, const Progress& progress) {
  Statistics statistics = emptyStatistics(logs, builder);
  std::vector<Eigen::MatrixXd> rows;
  FilterWorkspace workspace;
  for (size_t i = 0; i < logs.size(); ++i) {
    LogRun& log = logs[i];
    const PayloadPlacement* payload = log.payload ? &*log.payload : nullptr;
    const Lowpass lowpass = log.source->plan().lowpass();
    PreslidingCarry carry;
    log.used = 0.0;
    const auto report = [&](const std::string& stage, double fraction) {
      if (progress)
        progress(stage, (static_cast<double>(i) + fraction) / static_cast<double>(logs.size()));
    };
    log.counts = log.source->forEachWindow(
        [&](const ActuatorSignals& signals) {
          builder.build(signals, payload, carry, rows);
          const BlockSorter sorter(log, signals);
          log.used += static_cast<double>(sorter.size());
          for (size_t a = 0; a < rows.size(); ++a) {
            const auto column = static_cast<Eigen::Index>(a);
            rows[a].conservativeResize(Eigen::NoChange, rows[a].cols() + 1);
            rows[a].rightCols<1>() = log.to_effort(column) * signals.effort.col(column);
            filterSegments(signals.joint, lowpass, rows[a], workspace);
            sorter.add(static_cast<int>(a), rows[a], statistics.channels[a]);
          }
        },
        report);
  }
  return statistics;
}

}  // namespace dynid
