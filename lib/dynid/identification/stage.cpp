#include "dynid/identification/stage.h"

#include "dynid/statistics/base_wrench.h"
#include "dynid/statistics/body_statistics.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

// No sensor is taken to be more than a hundred times better than the joints' efforts: beyond, its
// gain and alignment say more than its noise.
constexpr double kSensorNoiseRange = 100.0;

std::vector<std::optional<PayloadPlacement>> loadings(const Run& run) {
  std::vector<std::optional<PayloadPlacement>> distinct;
  const auto unloaded = [](int payload) { return payload < 0; };
  bool any = std::any_of(run.payloads.of_log.begin(), run.payloads.of_log.end(), unloaded);
  for (const GatheredRun& gathered : run.gathered)
    for (const GatheredLog& log : gathered.data->logs) any |= log.payload < 0;
  if (any) distinct.emplace_back(std::nullopt);
  for (const Payload& payload : run.payloads.payloads) distinct.emplace_back(payload.placement);
  return distinct;
}

std::vector<int> ladderColumns(const CandidateLayout& candidates) {
  std::vector<int> columns;
  for (const std::vector<int>& own : candidates.directions)
    columns.insert(columns.end(), own.begin(), own.end());
  for (const std::vector<CandidateLayout::Group>& groups : candidates.optional)
    for (const CandidateLayout::Group& group : groups)
      columns.insert(columns.end(), group.columns.begin(), group.columns.end());
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

// Structurally independent columns that do not belong to the ladder.
std::vector<int> fixedIndependent(const CandidateLayout& candidates, const BaseParameters& base) {
  const std::vector<int> ladder = ladderColumns(candidates);
  std::vector<int> columns;
  std::set_difference(base.independent.begin(),
                      base.independent.end(),
                      ladder.begin(),
                      ladder.end(),
                      std::back_inserter(columns));
  return columns;
}

// Behind load-dependent friction: of the stage before, or what gathered statistics recorded.
Eigen::VectorXd loadParameters(const Run& run, const ParameterLayout& layout, const Stage* before) {
  if (!run.gathered.empty()) {
    if (!run.load_recorded) return Eigen::VectorXd::Zero(layout.size());
    const GatheredStatistics& gathered = *run.gathered.front().data;
    return translated(gathered.layout, gathered.load_parameters, layout);
  }
  if (before == nullptr) return Eigen::VectorXd::Zero(layout.size());
  return translated(before->candidates.layout, before->parameters, layout);
}

Statistics gather(Run& run, const Stage& stage, const WindowPass& pass, const std::string& name) {
  const ParameterLayout& layout = stage.candidates.layout;
  std::vector<int> columns = fixedIndependent(stage.candidates, stage.base);
  const std::vector<int> ladder = ladderColumns(stage.candidates);
  columns.insert(columns.end(), ladder.begin(), ladder.end());
  std::sort(columns.begin(), columns.end());
  RowBuilder builder(run.robot, layout, columns, run.still_speed);
  builder.setLoadParameters(stage.load_parameters);
  const EquationRows rows(run.robot, std::move(builder), stage.equations);
  Statistics statistics = emptyStatistics(rows, run.block_log);
  const auto add = [&](const GatheredRun& gathered) {
    gathered.view->addTo(
        statistics, layout, gathered.to_effort, gathered.first_block, gathered.num_blocks);
  };
  if (run.recorded) {
    add(*run.recorded);
    return statistics;
  }
  const bool first_of_team = pass.team == nullptr || pass.team->rank() == 0;
  if (first_of_team)  // what is there already counts once
    for (const GatheredRun& gathered : run.gathered) add(gathered);
  accumulate(run.logs, rows, pass, statistics, [&](const std::string& log, double fraction) {
    if (*run.progress) (*run.progress)(name + ", " + log, fraction);
  });
  if (stage.equations.with_bodies)
    addBodyChannels(*run.robot,
                    run.logs,
                    distinctSensors(run.sensors_of_log),
                    layout,
                    columns,
                    pass,
                    statistics);
  if (stage.equations.with_base)
    addBaseChannels(*run.robot, run.logs, layout, columns, pass, statistics);
  return statistics;
}

// Wrenches [channels] of bodies of one kilogram with their mass about 0.1 m off; 0 for the joints.
Eigen::VectorXd typicalWrench(const Run& run, const Stage& stage) {
  constexpr double kReach = 0.1;
  const Statistics& statistics = *stage.statistics;
  Eigen::VectorXd wrench = Eigen::VectorXd::Zero(statistics.numChannels());
  const int joints = stage.equations.oneChannel() ? 1 : run.robot->numJoints();
  for (int a = joints; a < statistics.numChannels(); ++a) {
    const ChannelStatistics& channel = statistics.channels[static_cast<size_t>(a)];
    double squared = 0.0;
    for (const TriangularFactor& factor : channel.moving)
      for (size_t c = 0; factor.rows() > 0.0 && c < channel.columns.size(); ++c) {
        const int component = stage.candidates.layout[channel.columns[c]].component;
        const double size = component == 0 ? 1.0 : component <= 3 ? kReach : kReach * kReach;
        squared += size * size * factor.R().col(static_cast<Eigen::Index>(c)).squaredNorm();
      }
    if (statistics.movingRows(a) > 0.0) wrench(a) = std::sqrt(squared / statistics.movingRows(a));
  }
  return wrench;
}

// Least squares and the consistent fit of the stage's choice; channel noise from the consistent fit
// once there is one.
void fitChoice(const Run& run,
               Stage& stage,
               const PhysicalFitOptions& options,
               const std::vector<bool>& leave_out = {}) {
  const std::vector<int> columns = fittedColumns(stage);
  const Eigen::MatrixXd E = combinationOf(stage.base, columns);
  LeastSquaresOptions least_squares;
  least_squares.robust = run.settings->robust;
  if (!stage.equations.oneChannel())
    least_squares.use_still = usesStillRows(stage.candidates, stage.choice);
  if (!least_squares.use_still.empty())
    least_squares.use_still.resize(stage.statistics->channels.size(), false);
  least_squares.leave_out = leave_out;
  if (stage.equations.withSensors()) {
    least_squares.noise_range = kSensorNoiseRange;
    least_squares.typical_effort = typicalWrench(run, stage);
  }
  if (stage.fit.parameters.size() > 0 && stage.fit.result.converged) {
    least_squares.sigma =
        channelResidual(*stage.statistics, columns, E * stage.fit.parameters).cwiseMax(1e-300);
    limitNoiseRange(*stage.statistics,
                    least_squares.noise_range,
                    least_squares.typical_effort,
                    least_squares.sigma);
  }
  stage.estimate = weightedLeastSquares(*stage.statistics, columns, least_squares);
  stage.fit = fitConsistently(*run.robot,
                              stage.candidates.layout,
                              E,
                              stage.estimate,
                              run.payloads,
                              run.scale_known,
                              options);
  stage.parameters = stage.fit.parameters;
  if (stage.parameters.size() == 0) {
    stage.parameters = Eigen::VectorXd::Zero(stage.candidates.layout.size());
    stage.parameters(columns) = stage.estimate.beta;
  }
}

// The stage's parameters as the statistics see them: base values at the independent columns.
Eigen::VectorXd baseValues(const Stage& stage) {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(stage.parameters.size());
  values(stage.base.independent) = stage.base.combination() * stage.parameters;
  return values;
}

}  // namespace

Eigen::VectorXd translated(const ParameterLayout& from,
                           const Eigen::VectorXd& parameters,
                           const ParameterLayout& to) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(to.size());
  for (int c = 0; c < to.size(); ++c)
    for (int old = 0; old < from.size(); ++old)
      if (sameColumn(from[old], to[c])) result(c) = parameters(old);
  return result;
}

Stage gatherStage(Run& run,
                  std::vector<ActuatorEffects> effects,
                  const Stage* before,
                  const WindowPass& pass,
                  const std::string& name,
                  const Equations& equations) {
  Stage stage;
  stage.equations = equations;
  stage.effects = std::move(effects);
  stage.candidates = candidateLayout(*run.robot, stage.effects);
  appendPayloadColumns(run.payloads, stage.candidates.layout);
  for (size_t i = 0; i < run.logs.size(); ++i) {
    const int p = run.payloads.of_log[i];
    if (p >= 0) run.logs[i].payload = run.payloads.payloads[static_cast<size_t>(p)].placement;
  }
  BaseKnowledge base = run.base;
  base.wrench &= equations.with_base;
  stage.base = structuralBase(
      run.robot,
      stage.candidates.layout,
      loadings(run),
      equations.with_bodies ? distinctSensors(run.sensors_of_log) : std::vector<BodySensor>(),
      base);
  stage.load_parameters = loadParameters(run, stage.candidates.layout, before);
  stage.statistics = std::make_shared<const Statistics>(gather(run, stage, pass, name));
  stage.choice = plainChoice(stage.candidates);
  return stage;
}

std::vector<int> fittedColumns(const Stage& stage) {
  return chosenColumns(
      stage.candidates, fixedIndependent(stage.candidates, stage.base), stage.choice);
}

Stage runStage(Run& run,
               std::vector<ActuatorEffects> effects,
               const Stage* before,
               const WindowPass& pass,
               const std::string& name,
               const PhysicalFitOptions& options,
               const Equations& equations) {
  Stage stage = gatherStage(run, std::move(effects), before, pass, name, equations);
  PhysicalFitOptions quick = options;
  quick.second_stage = false;
  fitChoice(run, stage, quick);
  if (!ladderColumns(stage.candidates).empty()) {
    for (int sweep = 0; sweep < 2; ++sweep) {
      stage.choice = climbLadder(*stage.statistics,
                                 stage.candidates,
                                 fixedIndependent(stage.candidates, stage.base),
                                 baseValues(stage));
      fitChoice(run, stage, quick);
    }
  }
  fitChoice(run, stage, options);
  return stage;
}

FoldFits fitFolds(const Run& run,
                  const Stage& stage,
                  int folds,
                  const PhysicalFitOptions& options) {
  PhysicalFitOptions quick = options;
  quick.second_stage = false;
  const int blocks = stage.statistics->numBlocks();
  const int count = std::min(folds, blocks);
  FoldFits fits;
  for (int b = 0; b < blocks; ++b) fits.fold_of_block.push_back(b * count / blocks);
  for (int fold = 0; fold < count; ++fold) {
    std::vector<bool> leave_out;
    for (int b = 0; b < blocks; ++b)
      leave_out.push_back(count > 1 && fits.fold_of_block[static_cast<size_t>(b)] == fold);
    Stage without = stage;
    fitChoice(run, without, quick, leave_out);
    fits.parameters.push_back(without.parameters);
  }
  return fits;
}

}  // namespace dynid
