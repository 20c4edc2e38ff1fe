#include "dynid/identification/record.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <map>

namespace dynid {
namespace {

bool isLoad(const Column& column) {
  return column.kind == ColumnKind::kFriction && column.effect == FrictionEffect::kLoad;
}

bool isAvailable(const Run& run, const Column& column) {
  if (run.gathered.empty()) return true;
  if (isLoad(column) && !run.load_recorded) return false;
  return std::all_of(run.gathered.begin(), run.gathered.end(), [&](const GatheredRun& gathered) {
    return gathered.view->has(column, run.still_speed);
  });
}

// Adds what is not there yet.
void unite(const std::vector<Column>& columns, std::vector<Column>& all) {
  for (const Column& column : columns)
    if (std::none_of(
            all.begin(), all.end(), [&](const Column& known) { return sameColumn(known, column); }))
      all.push_back(column);
}

std::string notesOf(const LogRun& log) {
  std::string notes;
  for (const std::string& note : logNotes(log)) notes += (notes.empty() ? "" : "\n") + note;
  return notes;
}

GatheredLog gatheredLog(const Run& run, size_t index) {
  const LogRun& log = run.logs[index];
  GatheredLog gathered;
  gathered.file = log.source->input().path.string();
  gathered.sha256 = run.log_digests->of(index);
  gathered.notes = notesOf(log);
  gathered.samples = static_cast<double>(log.counts.read);
  gathered.used = log.used;
  gathered.dropped = static_cast<double>(log.counts.read - log.counts.kept);
  gathered.cutoff_hz = log.source->plan().cutoff_hz;
  gathered.payload = run.payloads.of_log[index];
  return gathered;
}

// Logs of the run's gathered statistics, their loads as the run counts them.
void addGatheredLogs(const Run& run, GatheredStatistics& all) {
  for (const GatheredRun& gathered : run.gathered) {
    for (GatheredLog log : gathered.data->logs) {
      if (log.payload >= 0) {
        const std::string& name = gathered.data->payloads[static_cast<size_t>(log.payload)].name;
        for (size_t p = 0; p < all.payloads.size(); ++p)
          if (all.payloads[p].name == name) log.payload = static_cast<int>(p);
      }
      all.logs.push_back(std::move(log));
    }
  }
}

// Lengths of the stretches of the run's blocks; those that share a block count as one.
std::vector<double> stretches(const Run& run) {
  std::map<int, double> durations_at;  // by first block
  const auto add = [&](int first, double duration) {
    double& known = durations_at[first];
    known = std::max(known, duration);
  };
  for (const GatheredRun& gathered : run.gathered)
    for (size_t s = 0; s < gathered.first_block.size(); ++s)
      add(gathered.first_block[s], gathered.data->stretch_durations[s]);
  for (const LogRun& log : run.logs) add(log.first_block, log.source->duration());
  std::vector<double> durations;
  for (const auto& [first, duration] : durations_at) durations.push_back(duration);
  return durations;
}

// Currents where all logs hold currents, else efforts.
bool holdsCurrents(const Run& run) {
  return std::all_of(run.logs.begin(),
                     run.logs.end(),
                     [](const LogRun& log) {
                       return log.source->info().effort_kind == EffortKind::kCurrent;
                     }) &&
         std::all_of(run.gathered.begin(), run.gathered.end(), [](const GatheredRun& gathered) {
           return gathered.data->currents;
         });
}

void backToCurrents(const Eigen::VectorXd& to_effort, Statistics& statistics) {
  for (size_t a = 0; a < statistics.channels.size(); ++a)
    for (auto* factors : {&statistics.channels[a].moving, &statistics.channels[a].still})
      for (TriangularFactor& factor : *factors)
        factor.scaleLastColumn(1.0 / to_effort(static_cast<Eigen::Index>(a)));
}

}  // namespace

std::vector<ActuatorEffects> available(const Run& run, std::vector<ActuatorEffects> effects) {
  const auto missing = [&](const Column& column) { return !isAvailable(run, column); };
  for (size_t a = 0; a < effects.size(); ++a) {
    ActuatorEffects& own = effects[a];
    for (const Column& column : own.fixed)
      if (missing(column))
        throw InputError("the statistics hold no column \"" + column.name +
                         "\" that all of them share; make them again with this robot description, "
                         "each with --statistics FIRST to go on from the first");
    const bool had_direction = !own.directions.empty();
    std::erase_if(own.directions, missing);
    if (had_direction && own.directions.empty())
      throw InputError("the statistics share no column of Coulomb friction of \"" +
                       run.robot->drives[a].name +
                       "\"; make them again with the same --still-speed");
    std::erase_if(own.optional, [&](const EffectGroup& group) {
      return std::any_of(group.columns.begin(), group.columns.end(), missing);
    });
  }
  return effects;
}

std::vector<ActuatorEffects> unitedEffects(
    const std::vector<std::vector<ActuatorEffects>>& stages) {
  std::vector<ActuatorEffects> all(stages.front().size());
  for (const std::vector<ActuatorEffects>& effects : stages) {
    for (size_t a = 0; a < all.size(); ++a) {
      // Candidates, every one an own group: nothing is chosen here.
      std::vector<Column> fixed = all[a].fixed, optional;
      for (const EffectGroup& group : all[a].optional) unite(group.columns, optional);
      if (fixed.empty()) fixed = effects[a].fixed;
      std::vector<Column> candidates = effects[a].fixed;
      unite(effects[a].directions, candidates);
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

void recordStatistics(Run& run, std::vector<ActuatorEffects> effects, const Stage& before) {
  Stage stage = gatherStage(run, std::move(effects), &before, run.everything(), "statistics");
  auto all = std::make_shared<GatheredStatistics>();
  all->robot_name = run.robot->name;
  all->robot_sha256 = run.robot->sha256;
  all->gravity = run.robot->gravity;
  all->layout = stage.candidates.layout;
  all->statistics = *stage.statistics;
  all->block_s = run.block_s;
  all->stretch_durations = stretches(run);
  all->still_speed = run.still_speed;
  all->typical_speed = run.typical_speed;
  all->load_parameters = stage.load_parameters;
  all->payloads = run.payloads.payloads;
  addGatheredLogs(run, *all);
  for (size_t i = 0; i < run.logs.size(); ++i) {
    all->logs.push_back(gatheredLog(run, i));
    all->filter_order = run.logs[i].source->plan().filter_order;
  }
  GatheredRun recorded;
  recorded.to_effort =
      run.logs.empty() ? run.gathered.front().to_effort : run.logs.front().to_effort;
  all->currents = holdsCurrents(run);
  if (all->currents) {
    backToCurrents(recorded.to_effort, all->statistics);
  } else {
    recorded.to_effort.setOnes();
  }
  int next = 0;
  for (double duration : all->stretch_durations) {
    recorded.first_block.push_back(next);
    recorded.num_blocks.push_back(blocksOf(duration, run.block_s));
    next += recorded.num_blocks.back();
  }
  recorded.view = std::make_shared<const StatisticsView>(run.robot, *all);
  recorded.data = std::move(all);
  run.recorded = std::move(recorded);
}

}  // namespace dynid
