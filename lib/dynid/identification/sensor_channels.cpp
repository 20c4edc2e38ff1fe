#include "dynid/identification/sensor_channels.h"

namespace dynid {

void addSensorWindow(const LogRun& log,
                     const ActuatorSignals& signals,
                     std::vector<Eigen::MatrixXd>& rows,
                     size_t first_channel,
                     Statistics& statistics) {
  const SignalPlan& plan = log.source->plan();
  const std::vector<Eigen::Index> samples =
      coreSamples(signals.joint, plan, signals.begin, signals.end);
  FilterWorkspace workspace;
  for (size_t k = 0; k < rows.size(); ++k) {
    filterSegments(signals.joint, plan.lowpass(), rows[k], workspace);
    size_t i = 0;
    while (i < samples.size()) {
      const int block = blockAt(log, signals.joint.time(samples[i]));
      std::vector<Eigen::Index> own;
      for (; i < samples.size() && blockAt(log, signals.joint.time(samples[i])) == block; ++i)
        own.push_back(samples[i]);
      statistics.channels[first_channel + k].moving[static_cast<size_t>(block)].add(
          rows[k](own, Eigen::all));
    }
  }
}

void appendSensorChannels(const std::vector<int>& columns, Statistics& statistics) {
  ChannelStatistics channel;
  channel.columns = columns;
  const TriangularFactor empty(static_cast<Eigen::Index>(columns.size()) + 1);
  channel.moving.assign(statistics.block_log.size(), empty);
  channel.still = channel.moving;
  statistics.channels.insert(statistics.channels.end(), 6, channel);
}

}  // namespace dynid
