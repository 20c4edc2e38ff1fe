#include "dynid/identification/identify.h"

#include "dynid/core/errors.h"
#include "dynid/identification/assemble_model.h"
#include "dynid/identification/find_gains.h"
#include "dynid/identification/open_run.h"
#include "dynid/identification/record.h"
#include "dynid/identification/signal_tuning.h"
#include "dynid/identification/stage.h"
#include "dynid/robot/root_body.h"
#include "dynid/statistics/base_wrench.h"

#include <algorithm>

namespace dynid {
namespace {

std::vector<ActuatorEffects> initialEffects(const Run& run) {
  std::vector<ActuatorEffects> effects;
  for (int a = 0; a < run.robot->numJoints(); ++a)
    effects.push_back(actuatorEffects(*run.robot, a, run.typical_speed(a), false));
  return effects;
}

// The candidates of the next stage: direction as chosen, load offered.
std::vector<ActuatorEffects> withLoad(const Run& run,
                                      const std::vector<ActuatorEffects>& before,
                                      const EffectChoice& choice) {
  std::vector<ActuatorEffects> effects;
  for (int a = 0; a < run.robot->numJoints(); ++a) {
    const auto i = static_cast<size_t>(a);
    ActuatorEffects own = actuatorEffects(*run.robot, a, run.typical_speed(a), true);
    if (choice.direction[i] >= 0)
      own = withDirection(own, before[i].directions[static_cast<size_t>(choice.direction[i])]);
    effects.push_back(std::move(own));
  }
  return effects;
}

// Only what was chosen, as fixed columns: the final model.
std::vector<ActuatorEffects> onlyChosen(const std::vector<ActuatorEffects>& before,
                                        const EffectChoice& choice) {
  std::vector<ActuatorEffects> effects = before;
  for (size_t a = 0; a < effects.size(); ++a) {
    if (choice.direction[a] >= 0)
      effects[a].fixed.push_back(before[a].directions[static_cast<size_t>(choice.direction[a])]);
    for (int o : choice.optional[a]) {
      const std::vector<Column>& group = before[a].optional[static_cast<size_t>(o)].columns;
      effects[a].fixed.insert(effects[a].fixed.end(), group.begin(), group.end());
    }
    effects[a].directions.clear();
    effects[a].optional.clear();
  }
  return effects;
}

bool isLoad(const Column& column) {
  return column.kind == ColumnKind::kFriction && column.effect == FrictionEffect::kLoad;
}

// Load-dependent friction stands on the load of inverse dynamics, which needs accelerations.
void leaveLoadOut(std::vector<ActuatorEffects>& effects) {
  for (ActuatorEffects& own : effects)
    std::erase_if(own.optional, [](const EffectGroup& group) {
      return std::any_of(group.columns.begin(), group.columns.end(), isLoad);
    });
}

bool hasLoad(const std::vector<ActuatorEffects>& effects) {
  for (const ActuatorEffects& actuator : effects)
    for (const Column& column : actuator.fixed)
      if (isLoad(column)) return true;
  return false;
}

// Share of the variance of each channel's moving rows that the fit explains, from the factors.
Eigen::VectorXd explainedShare(const Stage& stage) {
  Eigen::VectorXd share(stage.statistics->numChannels());
  for (int a = 0; a < stage.statistics->numChannels(); ++a) {
    const ChannelStatistics& channel = stage.statistics->channels[static_cast<size_t>(a)];
    const auto& layout = stage.candidates.layout;
    Eigen::VectorXd beta(static_cast<Eigen::Index>(channel.columns.size()) + 1);
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(beta.size());
    const Eigen::VectorXd values = stage.base.combination() * stage.parameters;
    for (size_t c = 0; c < channel.columns.size(); ++c) {
      const auto at = std::find(
          stage.base.independent.begin(), stage.base.independent.end(), channel.columns[c]);
      const auto i = static_cast<Eigen::Index>(c);
      beta(i) =
          at == stage.base.independent.end() ? 0.0 : values(at - stage.base.independent.begin());
      const Column& column = layout[channel.columns[c]];
      if (column.kind == ColumnKind::kFriction && column.effect == FrictionEffect::kOffset)
        mean(i) = 1.0;
    }
    beta(beta.size() - 1) = -1.0;
    double residual = 0.0, energy = 0.0, sum = 0.0, rows = 0.0;
    for (const TriangularFactor& factor : channel.moving) {
      if (factor.rows() == 0.0) continue;
      residual += (factor.R() * beta).squaredNorm();
      energy += factor.R().rightCols<1>().squaredNorm();
      sum += (factor.R() * mean).dot(factor.R().rightCols<1>());
      rows += factor.rows();
    }
    const double about_mean = energy - sum * sum / std::max(rows, 1.0);
    share(a) = about_mean > 0.0 ? 1.0 - residual / about_mean : 0.0;
  }
  return share;
}

// Whether some log has body sensors; the run then knows which.
bool openBodySensors(Run& run) {
  bool any = false;
  for (const LogRun& log : run.logs) {
    run.sensors_of_log.push_back(
        bodySensorsOf(*run.robot, log.source->input().path, log.source->info().rows));
    any |= !run.sensors_of_log.back().empty();
  }
  return any;
}

// What the logs say of the base.
BaseKnowledge baseKnowledge(const Run& run) {
  BaseKnowledge base;
  for (const LogRun& log : run.logs) {
    if (log.source->base() == nullptr) continue;
    base.moves |= run.robot->floating_base;
    base.wrench |= log.source->base()->hasWrench();
  }
  return base;
}

// The root link's inertia counts where the wrench that holds it up is measured.
std::shared_ptr<const Robot> withRootIfWeighed(std::shared_ptr<const Robot> robot,
                                               const std::vector<LogInput>& inputs) {
  if (hasRootBody(*robot)) return robot;
  for (const LogInput& input : inputs)
    if (hasBaseWrench(input.path)) return std::make_shared<const Robot>(withRootBody(*robot));
  return robot;
}

// Inverse dynamics of the same base parameters.
Equations scoring(const Equations& fitted) {
  Equations equations;
  equations.with_bodies = fitted.with_bodies;
  equations.with_base = fitted.with_base;
  return equations;
}

GatheredStatistics withCutoffs(GatheredStatistics statistics, const PredictionCutoffs& cutoffs) {
  statistics.rigid_cutoff_hz = cutoffs.rigid;
  statistics.friction_cutoff_hz = cutoffs.friction;
  return statistics;
}

// What the statistics say where there are no samples to try cut-offs on.
PredictionCutoffs recordedCutoffs(const Run& run, const Stage& stage) {
  const GatheredStatistics& gathered = *run.gathered.front().data;
  PredictionCutoffs cutoffs;
  cutoffs.rigid = gathered.rigid_cutoff_hz;
  cutoffs.friction = gathered.friction_cutoff_hz;
  cutoffs.r2 = explainedShare(stage);
  return cutoffs;
}

}  // namespace

Identification identify(std::shared_ptr<const Robot> robot,
                        const std::vector<LogInput>& inputs,
                        const IdentificationSettings& settings,
                        const Progress& progress) {
  settings.check();
  if (inputs.empty() && settings.statistics.empty())
    throw UsageError("no log given; add --log FILE or --statistics FILE");
  Equations equations = equationsOf(settings.equations, *robot, settings.window_s);
  const bool samples_only = settings.statistics.empty() && !settings.keep_statistics;
  if (samples_only) robot = withRootIfWeighed(std::move(robot), inputs);
  Run run = openRun(std::move(robot), inputs, settings.statistics, settings, progress);
  run.base = baseKnowledge(run);
  if (samples_only) equations.with_bodies = openBodySensors(run);
  equations.with_base = samples_only && run.base.wrench;
  PhysicalFitOptions options;
  options.margin = settings.margin;
  options.second_stage = settings.second_stage;
  options.gap_tolerance = settings.gap_tolerance;
  const WindowPass look = run.look();
  const std::vector<ActuatorEffects> plain = available(run, initialEffects(run));
  findDriveGains(run, plain);
  Stage stage = runStage(run, plain, nullptr, look, "friction", options);
  const auto next = [&](const std::vector<ActuatorEffects>& effects,
                        const WindowPass& pass,
                        const std::string& name,
                        const Equations& own) {
    stage.statistics.reset();  // not needed any more, and large
    stage = runStage(run, effects, &stage, pass, name, options, own);
  };
  std::vector<ActuatorEffects> loaded = available(run, withLoad(run, plain, stage.choice));
  if (equations.kind != EquationKind::kInverseDynamics) leaveLoadOut(loaded);
  next(loaded, look, "load", {});
  const std::vector<ActuatorEffects> chosen = onlyChosen(stage.effects, stage.choice);
  // The final passes have only the chosen columns; load-dependent friction stands on the load of
  // the consistent model.
  if (hasLoad(chosen)) next(chosen, look, "load again", {});
  if (settings.keep_statistics)
    recordStatistics(run, unitedEffects({plain, loaded, chosen}), stage);
  next(chosen, run.everything(), "fit", equations);
  std::optional<Stage> scored;  // joints are scored with inverse dynamics whatever was fitted
  if (equations.kind != EquationKind::kInverseDynamics)
    scored = gatherStage(run, chosen, &stage, run.everything(), "score", scoring(equations));

  const PredictionCutoffs cutoffs =
      run.logs.empty()
          ? recordedCutoffs(run, stage)
          : tunePrediction(
                run, stage, options, cutoffGrid(run, run.logs.front().source->plan().cutoff_hz));

  ModelParts parts;
  parts.run = &run;
  parts.cutoffs = &cutoffs;
  parts.equations = equations;
  parts.layout = stage.candidates.layout;
  parts.statistics = stage.statistics.get();
  parts.score = (scored ? *scored : stage).statistics.get();
  parts.estimate = &stage.estimate;
  parts.base = &stage.base;
  parts.fit = &stage.fit;
  Identification identification;
  identification.model = assembleModel(parts);
  for (const LogRun& log : run.logs) {
    identification.audits.push_back(log.source->findings());
    identification.logs.push_back(log.source->input().path);
  }
  if (run.recorded) identification.statistics = withCutoffs(*run.recorded->data, cutoffs);
  return identification;
}

}  // namespace dynid
