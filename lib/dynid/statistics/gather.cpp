#include "dynid/statistics/gather.h"

#include "dynid/statistics/base_wrench.h"
#include "dynid/statistics/body_statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dynid {
namespace {

bool someLogWithout(const Recordings& recordings) {
  return std::any_of(recordings.logs.begin(),
                     recordings.logs.end(),
                     [](const OpenedLog& log) { return log.payload < 0; }) ||
         std::any_of(
             recordings.pools.begin(), recordings.pools.end(), [](const PooledStatistics& pool) {
               return someLogWithoutPayload(*pool.data);
             });
}

BaseParameters baseOf(const Recordings& recordings,
                      const ParameterLayout& layout,
                      const std::vector<Payload>& payloads,
                      const Equations& equations,
                      int threads) {
  BaseKnowledge base = baseKnowledge(recordings);
  base.wrench &= equations.with_base;
  return structuralBase(
      recordings.robot,
      layout,
      distinctPlacements(payloads, someLogWithout(recordings)),
      equations.with_bodies ? distinctSensors(recordings) : std::vector<BodySensor>(),
      base,
      threads);
}

Eigen::VectorXd transmittingParameters(const Recordings& recordings,
                                       const ParameterLayout& layout,
                                       const LaidOutParameters* model) {
  if (!recordings.pools.empty()) {
    if (!recordings.same_transmitted_torque) return Eigen::VectorXd::Zero(layout.size());
    const GatheredStatistics& gathered = *recordings.pools.front().data;
    return translated({gathered.layout, gathered.transmitting_parameters}, layout);
  }
  return model != nullptr ? translated(*model, layout) : Eigen::VectorXd::Zero(layout.size());
}

// Largest number of blocks whose factors are computed separately. It limits the multiply-adds to
// those of an arm of seven joints with 256 blocks, the most that it can have. A humanoid of 32
// joints gets 31 blocks.
int blocksWorthFactors(const EquationRows& rows) {
  constexpr double kMultiplyAdds = 3e8;
  constexpr double kLeastBlocks = 16.0;  // two per fold
  double of_block = 1.0;
  for (int a = 0; a < rows.numChannels(); ++a)
    of_block += std::pow(static_cast<double>(rows.columns(a).size()) + 1.0, 3.0);
  return static_cast<int>(std::max(kLeastBlocks, kMultiplyAdds / of_block));
}

// Rows of the logs and of saved statistics over `columns`.
Statistics gatherRows(const Recordings& all,
                      const Regression& place,
                      const std::vector<int>& columns,
                      const GatherOptions& options,
                      const RecordedStatistics* recorded,
                      std::vector<LogUse>& use) {
  const ParameterLayout& layout = place.layout();
  RowBuilder builder(all.robot, layout, columns, all.ramp_speed);
  builder.setTorqueModel(place.transmitting);
  const EquationRows rows(all.robot, std::move(builder), options.equations);
  const Recordings recordings =
      options.join_blocks ? withJoinedBlocks(all, blocksWorthFactors(rows)) : all;
  Statistics statistics = emptyStatistics(rows, recordings.block_log);
  const auto add = [&](const PooledStatistics& pool, const Eigen::VectorXd& to_effort) {
    pool.view->addTo(statistics, layout, to_effort, pool.first_block, pool.num_blocks);
  };
  if (recorded != nullptr) {
    add(recorded->pool, recorded->to_effort);
    use = recorded->use;
    return statistics;
  }
  const WindowPass& pass = options.pass;
  const bool first_of_team = pass.team == nullptr || pass.team->rank() == 0;
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(options.drive_gains.size());
  for (const PooledStatistics& pool : recordings.pools)
    if (first_of_team)  // the sums of all processes are added
      add(pool, pool.data->currents ? options.drive_gains : ones);
  const std::vector<LogRows> logs = logRows(recordings, place.payloads, options.drive_gains);
  use = accumulate(logs, rows, pass, statistics, [&](const std::string& log, double fraction) {
    if (options.progress) options.progress(options.name + ", " + log, fraction);
  });
  const Robot& robot = *recordings.robot;
  if (options.equations.with_bodies)
    addBodyChannels(
        robot, logs, distinctSensors(recordings), layout, columns, pass, statistics, use);
  if (options.equations.with_base)
    addBaseChannels(robot, logs, layout, columns, pass, statistics, use);
  return statistics;
}

}  // namespace

Eigen::VectorXd translated(const LaidOutParameters& from, const ParameterLayout& to) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(to.size());
  for (int c = 0; c < to.size(); ++c)
    for (int old = 0; old < from.layout.size(); ++old)
      if (sameColumn(from.layout[old], to[c])) result(c) = from.values(old);
  return result;
}

std::vector<LogRows> logRows(const Recordings& recordings,
                             const std::vector<Payload>& payloads,
                             const Eigen::VectorXd& drive_gains) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(drive_gains.size());
  std::vector<LogRows> rows;
  for (const OpenedLog& log : recordings.logs) {
    std::optional<PayloadPlacement> payload;
    if (log.payload >= 0) payload = payloads.at(log.payload).placement;
    rows.push_back({log.source, log.blocks, payload, log.holdsCurrents() ? drive_gains : ones});
  }
  return rows;
}

Regression layOut(const Recordings& recordings,
                  const std::vector<ActuatorEffects>& effects,
                  const GatherOptions& options) {
  Regression result;
  result.equations = options.equations;
  result.candidates = candidateLayout(*recordings.robot, effects);
  result.payloads = appendPayloadColumns(recordings.payloads, result.candidates.layout);
  result.base =
      baseOf(recordings, result.layout(), result.payloads, options.equations, options.pass.threads);
  result.transmitting = transmittingParameters(recordings, result.layout(), options.transmitting);
  return result;
}

Regression gather(const Recordings& recordings,
                  const std::vector<ActuatorEffects>& effects,
                  const GatherOptions& options,
                  const RecordedStatistics* recorded) {
  Regression result = layOut(recordings, effects, options);
  std::vector<int> columns = fixedColumns(result);
  const std::vector<int> chosen_among = candidateColumns(result.candidates);
  columns.insert(columns.end(), chosen_among.begin(), chosen_among.end());
  std::sort(columns.begin(), columns.end());
  result.statistics = std::make_shared<const Statistics>(
      gatherRows(recordings, result, columns, options, recorded, result.use));
  return result;
}

std::vector<int> fixedColumns(const Regression& regression) {
  return fixedColumns(regression.candidates, regression.base.independent);
}

std::vector<int> fittedColumns(const Regression& regression, const EffectChoice& choice) {
  return chosenColumns(regression.candidates, fixedColumns(regression), choice);
}

}  // namespace dynid
