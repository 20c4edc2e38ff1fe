#include "dynid/statistics/record_statistics.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace dynid {
namespace {

bool isAvailable(const Recordings& recordings, const Column& column) {
  if (recordings.pools.empty()) return true;
  if (column.dependsOnTransmittedTorque() && !recordings.same_transmitted_torque) return false;
  return std::all_of(
      recordings.pools.begin(), recordings.pools.end(), [&](const PooledStatistics& pool) {
        return pool.view->has(column, recordings.ramp_speed);
      });
}

// Adds the columns that `all` does not contain yet.
void unite(const std::vector<Column>& columns, std::vector<Column>& all) {
  for (const Column& column : columns)
    if (std::none_of(
            all.begin(), all.end(), [&](const Column& known) { return sameColumn(known, column); }))
      all.push_back(column);
}

GatheredLog gatheredLog(const OpenedLog& log, const LogUse& use, const std::string& sha256) {
  GatheredLog gathered;
  gathered.file = log.source->input().path.string();
  gathered.sha256 = sha256;
  gathered.notes = join(logNotes(*log.source, use), "\n");
  gathered.samples = static_cast<double>(use.counts.read);
  gathered.used = use.used;
  gathered.dropped = static_cast<double>(use.counts.read - use.counts.kept);
  gathered.cutoff_hz = log.source->plan().cutoff_hz;
  gathered.payload = log.payload;
  gathered.first_row = static_cast<double>(log.source->firstRow());
  gathered.end_row = static_cast<double>(log.source->endRow());
  return gathered;
}

// The stretches of the blocks. Stretches that share a block count as one whose motion does not
// repeat.
std::vector<Stretch> joinedStretches(const Recordings& recordings) {
  std::map<int, Stretch> at;  // key: first block
  for (const Stretch& stretch : recordings.stretches) {
    const auto [known, is_new] = at.emplace(stretch.first_block, stretch);
    if (is_new) continue;
    known->second.duration_s = std::max(known->second.duration_s, stretch.duration_s);
    known->second.period_s = 0.0;
  }
  std::vector<Stretch> stretches;
  for (const auto& [first, stretch] : at) stretches.push_back(stretch);
  return stretches;
}

// Whether all logs and statistics contain currents; otherwise efforts are recorded.
bool holdCurrents(const Recordings& recordings) {
  return std::all_of(recordings.logs.begin(),
                     recordings.logs.end(),
                     [](const OpenedLog& log) { return log.holdsCurrents(); }) &&
         std::all_of(recordings.pools.begin(),
                     recordings.pools.end(),
                     [](const PooledStatistics& pool) { return pool.data->currents; });
}

Statistics inCurrents(Statistics statistics, const Eigen::VectorXd& to_effort) {
  for (Eigen::Index a = 0; a < to_effort.size(); ++a)
    for (auto* factors : {&statistics.channels[a].moving, &statistics.channels[a].standstill})
      for (TriangularFactor& factor : *factors) factor.scaleLastColumn(1.0 / to_effort(a));
  return statistics;
}

}  // namespace

std::vector<ActuatorEffects> available(const Recordings& recordings,
                                       std::vector<ActuatorEffects> effects) {
  const auto missing = [&](const Column& column) { return !isAvailable(recordings, column); };
  for (size_t a = 0; a < effects.size(); ++a) {
    ActuatorEffects& of_actuator = effects[a];
    for (const Column& column : of_actuator.fixed)
      if (missing(column))
        throw InputError("the statistics hold no column \"" + column.name +
                         "\" that all of them share; make them again with this robot description, "
                         "each with `statistics` FIRST to go on from the first");
    const bool had_sign_model = !of_actuator.sign_models.empty();
    std::erase_if(of_actuator.sign_models, missing);
    if (had_sign_model && of_actuator.sign_models.empty())
      throw InputError("the statistics share no column of Coulomb friction of \"" +
                       recordings.robot->drives[a].name +
                       "\"; make them again with the same `still_speed`");
    std::erase_if(of_actuator.optional, [&](const EffectGroup& group) {
      return std::any_of(group.columns.begin(), group.columns.end(), missing);
    });
  }
  return effects;
}

std::vector<ActuatorEffects> unitedEffects(
    const std::vector<std::vector<ActuatorEffects>>& selections) {
  std::vector<ActuatorEffects> all(selections.front().size());
  for (const std::vector<ActuatorEffects>& effects : selections) {
    for (size_t a = 0; a < all.size(); ++a) {
      // Every candidate becomes a group of its own, because nothing is selected here.
      std::vector<Column> fixed = all[a].fixed, optional;
      for (const EffectGroup& group : all[a].optional) unite(group.columns, optional);
      if (fixed.empty()) fixed = effects[a].fixed;
      std::vector<Column> candidates = effects[a].fixed;
      unite(effects[a].sign_models, candidates);
      for (const EffectGroup& group : effects[a].optional) unite(group.columns, candidates);
      std::erase_if(candidates, [&](const Column& column) {
        return std::any_of(fixed.begin(), fixed.end(), [&](const Column& known) {
          return sameColumn(known, column);
        });
      });
      unite(candidates, optional);
      all[a] = {fixed, {}, {}};
      for (const Column& column : optional) all[a].optional.push_back({{column}});
    }
  }
  return all;
}

RecordedStatistics recordStatistics(const Recordings& recordings,
                                    const std::vector<ActuatorEffects>& effects,
                                    const GatherOptions& options) {
  const Regression rows = gather(recordings, effects, options);
  const Eigen::Index actuators = options.drive_gains.size();
  RecordedStatistics recorded;
  recorded.use = rows.use;
  auto all = std::make_shared<GatheredStatistics>();
  all->robot_name = recordings.robot->name;
  all->robot_sha256 = recordings.robot->sha256;
  all->gravity = recordings.robot->gravity;
  all->layout = rows.layout();
  all->currents = holdCurrents(recordings);
  recorded.to_effort = all->currents ? options.drive_gains : Eigen::VectorXd::Ones(actuators);
  all->statistics =
      all->currents ? inCurrents(*rows.statistics, options.drive_gains) : *rows.statistics;
  all->block_s = recordings.block_s;
  for (const Stretch& stretch : joinedStretches(recordings)) {
    all->stretch_durations.push_back(stretch.duration_s);
    all->stretch_periods.push_back(stretch.period_s);
  }
  all->still_speed = recordings.ramp_speed;
  all->typical_speed = recordings.typical_speed;
  // Those of the fit, until the prediction has been tuned.
  all->rigid_cutoff_hz = all->friction_cutoff_hz =
      Eigen::VectorXd::Constant(recordings.typical_speed.size(),
                                recordings.logs.empty() ? std::nan("") : sharedCutoff(recordings));
  all->effort_delay = predictionDelays(recordings);
  all->spline_motion = recordings.spline_motion;
  all->least_moving_speed = recordings.least_moving_speed;
  all->transmitting_parameters = rows.transmitting;
  all->payloads = rows.payloads;
  all->logs = recordings.gathered_logs;
  for (size_t i = 0; i < recordings.logs.size(); ++i) {
    const OpenedLog& log = recordings.logs[i];
    all->logs.push_back(gatheredLog(log, rows.use[i], recordings.log_digests->of(i)));
    all->filter_order = log.source->plan().filter_order;
  }
  int next = 0;
  for (double duration : all->stretch_durations) {
    recorded.pool.first_block.push_back(next);
    recorded.pool.num_blocks.push_back(blocksOf(duration, recordings.block_s));
    next += recorded.pool.num_blocks.back();
  }
  recorded.pool.view = std::make_shared<const StatisticsView>(recordings.robot, *all);
  recorded.pool.data = std::move(all);
  return recorded;
}

}  // namespace dynid
