#include "dynid/identification/identify.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/estimation/covariance.h"
#include "dynid/identification/accumulate.h"
#include "dynid/identification/assemble_model.h"
#include "dynid/identification/consistent_fit.h"
#include "dynid/identification/effect_ladder.h"
#include "dynid/identification/structure.h"

namespace dynid {
namespace {

// The run of one identification: what the stages below hand on.
struct Run {
  std::shared_ptr<const Robot> robot;
  const IdentificationSettings* settings = nullptr;
  const Progress* progress = nullptr;
  std::vector<LogRun> logs;
  PayloadTable payloads;
  Eigen::VectorXd still_speed;
};

// One pass over the logs with a given set of candidate columns, and the best choice among them.
struct Stage {
  CandidateLayout candidates;
  EffectChoice choice;
  Statistics statistics;
  Estimate estimate;
  Eigen::VectorXd parameters;  // in the candidate layout, zero where not chosen
};

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
  for (const LogRun& log : run.logs)
    run.still_speed = run.still_speed.cwiseMin(log.source->plan().still_speed);
}

std::vector<std::optional<PayloadPlacement>> loadings(const Run& run) {
  std::vector<std::optional<PayloadPlacement>> distinct;
  const auto unloaded = [](int payload) { return payload < 0; };
  if (std::any_of(run.payloads.of_log.begin(), run.payloads.of_log.end(), unloaded))
    distinct.emplace_back(std::nullopt);
  for (const Payload& payload : run.payloads.payloads) distinct.emplace_back(payload.placement);
  return distinct;
}

// Structurally independent columns that do not belong to the ladder.
std::vector<int> fixedIndependent(const CandidateLayout& candidates, const BaseParameters& base) {
  std::vector<bool> in_ladder(static_cast<size_t>(candidates.layout.size()), false);
  for (const auto* group : {&candidates.directions, &candidates.optional})
    for (const std::vector<int>& columns : *group)
      for (int c : columns) in_ladder[static_cast<size_t>(c)] = true;
  std::vector<int> columns;
  for (int c : base.independent)
    if (!in_ladder[static_cast<size_t>(c)]) columns.push_back(c);
  return columns;
}

// A pass over the logs and the ladder on what it gathered.
Stage runStage(Run& run,
               const std::vector<ActuatorEffects>& effects,
               const Stage* before,
               const std::string& name) {
  Stage stage;
  stage.candidates = candidateLayout(*run.robot, effects);
  appendPayloadColumns(run.payloads, stage.candidates.layout);
  for (size_t i = 0; i < run.logs.size(); ++i) {
    const int p = run.payloads.of_log[i];
    if (p >= 0) run.logs[i].payload = run.payloads.payloads[static_cast<size_t>(p)].placement;
  }
  const ParameterLayout& layout = stage.candidates.layout;
  const BaseParameters base = structuralBase(run.robot, layout, loadings(run));
  const std::vector<int> independent = fixedIndependent(stage.candidates, base);
  std::vector<int> columns = independent;
  for (const auto* group : {&stage.candidates.directions, &stage.candidates.optional})
    for (const std::vector<int>& own : *group) columns.insert(columns.end(), own.begin(), own.end());
  std::sort(columns.begin(), columns.end());

  RowBuilder builder(run.robot, layout, columns, run.still_speed);
  if (before != nullptr) {
    Eigen::VectorXd load = Eigen::VectorXd::Zero(layout.size());
    for (int c = 0; c < layout.size(); ++c) {
      const int old = before->candidates.layout.find(layout[c].name);
      if (old >= 0 && before->parameters.size() > 0) load(c) = before->parameters(old);
    }
    builder.setLoadParameters(load);
  }
  const auto report = [&](const std::string& log, double fraction) {
    if (*run.progress) (*run.progress)(name + ", " + log, fraction);
  };
  stage.statistics = accumulate(run.logs, builder, report);
  EffectChoice plain;
  for (const std::vector<int>& directions : stage.candidates.directions)
    plain.direction.push_back(directions.empty() ? -1 : 0);
  plain.optional.resize(stage.candidates.directions.size());
  LeastSquaresOptions options;
  options.robust = run.settings->robust;
  options.use_still = usesStillRows(stage.candidates, plain);
  stage.estimate = weightedLeastSquares(
      stage.statistics, chosenColumns(stage.candidates, independent, plain), options);
  stage.choice =
      climbLadder(stage.statistics, stage.estimate.sigma, stage.candidates, independent);
  options.use_still = usesStillRows(stage.candidates, stage.choice);
  stage.estimate = weightedLeastSquares(
      stage.statistics, chosenColumns(stage.candidates, independent, stage.choice), options);
  stage.parameters = Eigen::VectorXd::Zero(layout.size());
  for (size_t i = 0; i < stage.estimate.columns.size(); ++i)
    stage.parameters(stage.estimate.columns[i]) = stage.estimate.beta(static_cast<Eigen::Index>(i));
  return stage;
}

std::vector<ActuatorEffects> initialEffects(const Robot& robot, bool load) {
  std::vector<ActuatorEffects> effects;
  for (int a = 0; a < robot.numJoints(); ++a) effects.push_back(actuatorEffects(robot, a, load));
  return effects;
}

// The candidates of the next stage: direction as chosen, load offered.
std::vector<ActuatorEffects> withLoad(const Robot& robot,
                                      const std::vector<ActuatorEffects>& before,
                                      const EffectChoice& choice) {
  std::vector<ActuatorEffects> effects;
  for (int a = 0; a < robot.numJoints(); ++a) {
    const auto i = static_cast<size_t>(a);
    ActuatorEffects own = actuatorEffects(robot, a, true);
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
    for (int o : choice.optional[a])
      effects[a].fixed.push_back(before[a].optional[static_cast<size_t>(o)]);
    effects[a].directions.clear();
    effects[a].optional.clear();
  }
  return effects;
}

bool hasLoad(const std::vector<ActuatorEffects>& effects) {
  for (const ActuatorEffects& actuator : effects)
    for (const Column& column : actuator.fixed)
      if (column.kind == ColumnKind::kFriction && column.effect == FrictionEffect::kLoad) return true;
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
  for (LogRun& log : run.logs)
    log.to_effort = recordedToEffort(*run.robot, log.source->info().effort_kind);

  std::vector<ActuatorEffects> effects = initialEffects(*run.robot, false);
  Stage stage = runStage(run, effects, nullptr, "pass 1");
  effects = withLoad(*run.robot, effects, stage.choice);
  stage = runStage(run, effects, &stage, "pass 2");
  effects = onlyChosen(effects, stage.choice);

  // The final pass has only the chosen columns; with load-dependent friction once more, on the load of the consistent model.
  PhysicalFitOptions options;
  options.margin = settings.margin;
  options.second_stage = settings.second_stage;
  options.gap_tolerance = settings.gap_tolerance;
  ConsistentFit fit;
  BaseParameters base;
  for (int pass = 0; pass < (hasLoad(effects) ? 2 : 1); ++pass) {
    stage = runStage(run, effects, &stage, "pass " + std::to_string(3 + pass));
    base = structuralBase(run.robot, stage.candidates.layout, loadings(run));
    fit = fitConsistently(
        *run.robot, stage.candidates.layout, base, stage.estimate, run.payloads, true, options);
    if (fit.parameters.size() > 0) stage.parameters = fit.parameters;
  }

  ModelParts parts;
  parts.robot = run.robot;
  parts.settings = &settings;
  parts.logs = &run.logs;
  parts.payloads = &run.payloads;
  parts.layout = stage.candidates.layout;
  parts.statistics = &stage.statistics;
  parts.estimate = &stage.estimate;
  parts.base = &base;
  parts.fit = &fit;
  parts.still_speed = run.still_speed;
  Identification identification;
  identification.model = assembleModel(parts);
  for (const LogRun& log : run.logs) identification.audits.push_back(log.source->findings());
  return identification;
}

}  // namespace dynid
