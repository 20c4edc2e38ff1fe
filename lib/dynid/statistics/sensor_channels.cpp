#include "dynid/statistics/sensor_channels.h"

#include "dynid/signals/row_order.h"

#include <fmt/format.h>
#include <utility>

namespace dynid {
namespace {

// Filters the rows of a window and adds those of its core to the six channels, block by block.
void addWindow(const LogRows& log,
               const ActuatorSignals& signals,
               std::vector<Eigen::MatrixXd> rows,
               size_t first_channel,
               Statistics& statistics) {
  const SignalPlan& plan = log.source->plan();
  const std::vector<Eigen::Index> samples =
      coreSamples(signals.joint, plan, signals.place.begin, signals.place.end);
  FilterWorkspace workspace;
  for (size_t k = 0; k < rows.size(); ++k) {
    filterSegments(signals.joint, plan.lowpass(), rows[k], workspace);
    size_t i = 0;
    while (i < samples.size()) {
      const int block = blockAt(*log.source, log.blocks, signals.joint.time(samples[i]));
      std::vector<Eigen::Index> columns;
      for (; i < samples.size() &&
             blockAt(*log.source, log.blocks, signals.joint.time(samples[i])) == block;
           ++i)
        columns.push_back(samples[i]);
      statistics.channels[first_channel + k].moving[block].add(rows[k](columns, Eigen::all));
    }
  }
}

}  // namespace

void addSensorChannels(const std::vector<LogRows>& logs,
                       const SensorRows& sensor,
                       const WindowPass& pass,
                       Statistics& statistics,
                       std::vector<LogUse>& use) {
  const size_t first_channel = statistics.channels.size();
  ChannelStatistics channel;
  channel.columns = sensor.columns;
  const TriangularFactor empty(static_cast<Eigen::Index>(sensor.columns.size()) + 1);
  channel.moving.assign(statistics.block_log.size(), empty);
  channel.standstill = channel.moving;
  statistics.channels.insert(statistics.channels.end(), 6, channel);
  WindowPass everything = pass;
  everything.team = nullptr;  // every process computes all rows; they are few
  const std::vector<WindowTask> tasks = windowTasks(sourcesOf(logs), everything);
  std::vector<Eigen::Index> missing(logs.size(), 0);
  for (size_t i = 0; i < tasks.size(); ++i) {
    const auto of = static_cast<size_t>(tasks[i].log);
    if (!sensor.has_log[of]) continue;
    const LogRows& log = logs[of];
    RawWindow raw = readTask(tasks, i);
    const Eigen::MatrixXd channels = sensor.read(log, raw);
    raw.sensor = channels;
    missing[of] += std::ssize(unusableRows(channels.middleRows(
        raw.place.first_row - raw.place.raw_first_row, raw.place.end_row - raw.place.first_row)));
    const ActuatorSignals window = log.source->conditionWindow(std::move(raw), true);
    addWindow(log, window, sensor.make(log, window, channels), first_channel, statistics);
  }
  for (size_t log = 0; log < logs.size(); ++log)
    if (missing[log] > 0)
      use[log].sensor_notes.push_back(
          fmt::format("{}: {} rows dropped: NaN or Inf", sensor.name, missing[log]));
}

}  // namespace dynid
