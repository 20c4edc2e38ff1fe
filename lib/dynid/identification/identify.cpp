#include "dynid/identification/identify.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/estimation/covariance.h"
#include "dynid/identification/accumulate.h"
#include "dynid/identification/assemble_model.h"
#include "dynid/identification/signal_tuning.h"
#include "dynid/identification/stage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dynid {
namespace {

void refuseBadLogs(const Run& run) {
  std::string message;
  for (const LogRun& log : run.logs) {
    for (const Finding& finding : log.source->findings()) {
      if (finding.severity != Finding::Severity::refuse) continue;
      message += (message.empty() ? "" : "\n") + log.source->input().path.string() + ": " +
                 finding.message + (finding.remedy.empty() ? "" : "; " + finding.remedy);
    }
    if (log.source->info().effort_kind == EffortKind::kNone)
      throw InputError(log.source->input().path.string() +
                       ": has neither effort nor current; there is nothing to fit");
  }
  if (!message.empty() && !run.settings->force)
    throw InputError(message + "\n(--force goes on all the same)");
}

// Logs are filtered alike: the duration-weighted median of what each would choose.
void shareCutoff(std::vector<LogRun>& logs) {
  std::vector<size_t> order(logs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return logs[a].source->plan().cutoff_hz < logs[b].source->plan().cutoff_hz;
  });
  double total = 0.0, passed = 0.0;
  for (const LogRun& log : logs) total += log.source->duration();
  double cutoff = logs[order.front()].source->plan().cutoff_hz;
  for (size_t i : order) {
    cutoff = logs[i].source->plan().cutoff_hz;
    passed += logs[i].source->duration();
    if (passed >= 0.5 * total) break;
  }
  for (const LogRun& log : logs)
    log.source->setCutoff(std::min(cutoff, 0.2 * log.source->plan().rateHz()));
}

void openLogs(Run& run, const std::vector<LogInput>& inputs) {
  std::vector<std::optional<PayloadNote>> notes;
  std::vector<std::string> options, files;
  for (const LogInput& input : inputs) {
    LogRun log;
    log.source = std::make_shared<LogSource>(run.robot, input, *run.settings);
    notes.push_back(log.source->info().payload);
    options.push_back(input.payload);
    files.push_back(input.path.filename().string());
    run.logs.push_back(std::move(log));
  }
  refuseBadLogs(run);
  shareCutoff(run.logs);
  assignBlocks(run.logs, run.settings->blocks);
  run.payloads = collectPayloads(*run.robot, notes, options, files);
  const Eigen::Index n = run.robot->numJoints();
  run.still_speed = Eigen::VectorXd::Constant(n, run.settings->still_speed);
  run.typical_speed = Eigen::VectorXd::Zero(n);
  for (const LogRun& log : run.logs) {
    run.still_speed = run.still_speed.cwiseMin(log.source->plan().still_speed);
    run.typical_speed = run.typical_speed.cwiseMax(log.source->typicalSpeed());
  }
  // Velocities made from exact positions have a sign down to rounding: no ramp through zero.
  if (std::all_of(run.logs.begin(), run.logs.end(), [](const LogRun& log) {
        return log.source->plan().exact_motion;
      }))
    run.still_speed.setZero();
}

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

bool hasLoad(const std::vector<ActuatorEffects>& effects) {
  for (const ActuatorEffects& actuator : effects)
    for (const Column& column : actuator.fixed)
      if (column.kind == ColumnKind::kFriction && column.effect == FrictionEffect::kLoad)
        return true;
  return false;
}

}  // namespace

Identification identify(std::shared_ptr<const Robot> robot,
                        const std::vector<LogInput>& inputs,
                        const IdentificationSettings& settings,
                        const Progress& progress) {
  settings.check();
  if (inputs.empty()) throw UsageError("no log given; add --log FILE");
  Run run;
  run.robot = std::move(robot);
  run.settings = &settings;
  run.progress = &progress;
  openLogs(run, inputs);
  PhysicalFitOptions options;
  options.margin = settings.margin;
  options.second_stage = settings.second_stage;
  options.gap_tolerance = settings.gap_tolerance;
  std::vector<ActuatorEffects> effects = initialEffects(run);
  findDriveGains(run, effects);
  const WindowPass look = run.look();
  Stage stage = runStage(run, effects, nullptr, look, "friction", options);
  stage = runStage(run, withLoad(run, effects, stage.choice), &stage, look, "load", options);
  effects = onlyChosen(stage.effects, stage.choice);
  // The final passes have only the chosen columns; load-dependent friction stands on the load of
  // the consistent model.
  if (hasLoad(effects)) stage = runStage(run, effects, &stage, look, "load again", options);
  stage = runStage(run, effects, &stage, run.everything(), "fit", options);

  const PredictionCutoffs cutoffs = tunePrediction(
      run, stage, options, cutoffGrid(run, run.logs.front().source->plan().cutoff_hz));

  ModelParts parts;
  parts.run = &run;
  parts.cutoffs = &cutoffs;
  parts.layout = stage.candidates.layout;
  parts.statistics = &stage.statistics;
  parts.estimate = &stage.estimate;
  parts.base = &stage.base;
  parts.fit = &stage.fit;
  Identification identification;
  identification.model = assembleModel(parts);
  for (const LogRun& log : run.logs) identification.audits.push_back(log.source->findings());
  return identification;
}

}  // namespace dynid
