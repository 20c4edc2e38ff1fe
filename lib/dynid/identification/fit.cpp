#include "dynid/identification/fit.h"

#include "dynid/core/errors.h"
#include "dynid/core/parallel.h"
#include "dynid/dynamics/friction_resistance.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

// A sensor counts as at most a hundred times more accurate than the joints' efforts: beyond that
// its gain and alignment, not its noise, limit the accuracy.
constexpr double kSensorNoiseRange = 100.0;
constexpr double kSmallestNoise = 1e-300;  // keeps the weight finite if a channel fits exactly
constexpr int kSweeps = 2;                 // most alternations of fit and selection of friction

// Typical wrenches [channels]: those of a body of one kilogram with its centre of mass at 0.1 m; 0
// for the joints.
Eigen::VectorXd typicalWrench(const Robot& robot, const Regression& regression) {
  constexpr double kReach = 0.1;
  const Statistics& statistics = *regression.statistics;
  Eigen::VectorXd wrench = Eigen::VectorXd::Zero(statistics.numChannels());
  const int joints = regression.equations.oneChannel() ? 1 : robot.numJoints();
  for (int a = joints; a < statistics.numChannels(); ++a) {
    const ChannelStatistics& channel = statistics.channels[a];
    double squared = 0.0;
    for (const TriangularFactor& factor : channel.moving)
      for (Eigen::Index c = 0; factor.rows() > 0.0 && c < std::ssize(channel.columns); ++c) {
        const int component = regression.layout()[channel.columns[c]].component;
        const double size = component == 0 ? 1.0 : component <= 3 ? kReach : kReach * kReach;
        squared += size * size * factor.R().col(c).squaredNorm();
      }
    if (statistics.movingRows(a) > 0.0) wrench(a) = std::sqrt(squared / statistics.movingRows(a));
  }
  return wrench;
}

// @param before     a fit of the same statistics; the channel noise is estimated from its
// consistent residual; nullptr: none
// @param leave_out  per block; empty: none
LeastSquaresOptions leastSquaresOptions(const Recordings& recordings,
                                        const Regression& regression,
                                        const std::vector<int>& columns,
                                        const FitOptions& options,
                                        const Fit* before,
                                        const std::vector<bool>& leave_out) {
  const Statistics& statistics = *regression.statistics;
  LeastSquaresOptions result;
  result.robust = options.robust;
  if (!regression.equations.oneChannel())
    result.use_standstill = usesStandstillRows(
        regression.layout(), columns, recordings.robot->numJoints(), statistics.numChannels());
  result.leave_out = leave_out;
  result.threads = options.threads;
  if (before != nullptr) result.weighted_channels = before->estimate.weighted_channels;
  if (regression.equations.withSensors()) {
    result.noise_range = kSensorNoiseRange;
    result.typical_effort = typicalWrench(*recordings.robot, regression);
  }
  if (before == nullptr || before->consistent.parameters.size() == 0 ||
      !before->consistent.result.converged)
    return result;
  const Eigen::MatrixXd E = combinationOf(regression.base, columns);
  result.sigma = channelResidual(statistics, columns, E * before->consistent.parameters)
                     .cwiseMax(kSmallestNoise);
  for (int a = 0; a < statistics.numChannels(); ++a)  // a joint that never moves has no residual
    if (statistics.movingRows(a) == 0.0) result.sigma(a) = before->estimate.sigma(a);
  limitNoiseRange(statistics, result.noise_range, result.typical_effort, result.sigma);
  result.block_weights = before->estimate.block_weights;
  // Folds and fits with prior keep the weights of the fit that they are compared with.
  result.weight_passes = leave_out.empty() && options.physical.prior_weight == 0.0 ? 1 : 0;
  return result;
}

Fit fitChoice(const Recordings& recordings,
              const Regression& regression,
              EffectChoice choice,
              const FitOptions& options,
              const Fit* before = nullptr,
              const std::vector<bool>& leave_out = {}) {
  const std::vector<int> columns = fittedColumns(regression, choice);
  const LeastSquaresOptions least_squares =
      leastSquaresOptions(recordings, regression, columns, options, before, leave_out);
  Estimate estimate = weightedLeastSquares(*regression.statistics, columns, least_squares);
  if (!estimate.R.allFinite() || !estimate.z.allFinite())
    throw InputError(
        "the logs cannot be fitted: their equations hold numbers that are not finite after "
        "weighting by the noise; check the units of time and effort, and whether the robot moves "
        "at all");
  ConsistentFit consistent = fitConsistently(*recordings.robot,
                                             regression.layout(),
                                             combinationOf(regression.base, columns),
                                             estimate,
                                             regression.payloads,
                                             options.scale_known,
                                             options.physical);
  Eigen::VectorXd parameters = consistent.parameters;
  if (parameters.size() == 0) {
    parameters = Eigen::VectorXd::Zero(regression.layout().size());
    parameters(columns) = estimate.beta;
  }
  return {std::move(choice), std::move(estimate), std::move(consistent), std::move(parameters)};
}

// The parameters as base values at the independent columns, as used with the statistics.
Eigen::VectorXd baseValues(const BaseParameters& base, const Eigen::VectorXd& parameters) {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(parameters.size());
  values(base.independent) = base.combination() * parameters;
  return values;
}

FitOptions withoutSecondStage(FitOptions options) {
  options.physical.second_stage = false;
  return options;
}

SelectionOptions selectionOptions(const Robot& robot) {
  SelectionOptions options;
  options.highest_speed.resize(std::ssize(robot.drives));
  for (int a = 0; a < std::ssize(robot.drives); ++a)
    options.highest_speed(a) = highestFrictionSpeed(robot, a);
  return options;
}

}  // namespace

Fit fitModel(const Recordings& recordings,
             const Regression& regression,
             const FitOptions& options) {
  const FitOptions quick = withoutSecondStage(options);
  Fit fit = fitChoice(recordings, regression, plainChoice(regression.candidates), quick);
  if (hasCandidates(regression.candidates)) {
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      EffectChoice choice = selectEffects(*regression.statistics,
                                          regression.candidates,
                                          fixedColumns(regression),
                                          baseValues(regression.base, fit.parameters),
                                          selectionOptions(*recordings.robot));
      if (choice == fit.choice) break;
      fit = fitChoice(recordings, regression, std::move(choice), quick, &fit);
    }
  }
  return fitChoice(recordings, regression, fit.choice, options, &fit);
}

Fit refit(const Recordings& recordings,
          const Regression& regression,
          const Fit& fit,
          const FitOptions& options) {
  return fitChoice(recordings, regression, fit.choice, options, &fit);
}

FoldFits fitFolds(const Recordings& recordings,
                  const Regression& regression,
                  const Fit& fit,
                  int folds,
                  const FitOptions& options) {
  const int blocks = regression.statistics->numBlocks();
  const int count = std::min(folds, blocks);
  FoldFits fits;
  fits.fold_of_block = foldsOfBlocks(*regression.statistics, count);
  // The predictions of a fit with prior include its prior. The second stage without prior is not
  // needed: one unit of chi-square does not change predictions noticeably.
  FitOptions of_fold = options.physical.prior_weight > 0.0 ? options : withoutSecondStage(options);
  of_fold.threads = 1;  // the folds are shared out to threads
  fits.parameters.resize(static_cast<size_t>(count));
  parallelFor(count, options.threads, [&](int fold) {
    std::vector<bool> leave_out;
    for (const int block_fold : fits.fold_of_block)
      leave_out.push_back(count > 1 && block_fold == fold);
    fits.parameters[static_cast<size_t>(fold)] =
        fitChoice(recordings, regression, fit.choice, of_fold, &fit, leave_out).parameters;
  });
  return fits;
}

}  // namespace dynid
