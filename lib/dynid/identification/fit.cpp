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
// Joints of real robots have noise of 0.4 to 50 % of their effort. Where some joints of a simulated
// log fit to rounding and others do not (friction that no term describes exactly), the exact joints
// would get all the weight of the fit, and the residuals of the others would be below its
// tolerance.
constexpr double kJointNoiseRange = 1e3;
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

// @param before  a fit of the same statistics; the channel noise is estimated from its consistent
// residual; nullptr: none
LeastSquaresOptions leastSquaresOptions(const Recordings& recordings,
                                        const Regression& regression,
                                        const std::vector<int>& columns,
                                        const FitOptions& options,
                                        const Fit* before) {
  const Statistics& statistics = *regression.statistics;
  LeastSquaresOptions result;
  result.robust = options.robust;
  result.noise_range = kJointNoiseRange;
  if (!regression.equations.oneChannel())
    result.standstill_weight = standstillWeights(
        regression.layout(), columns, recordings.robot->numJoints(), statistics.numChannels());
  result.threads = options.threads;
  if (before != nullptr) result.weighted_channels = before->estimate.weighted_channels;
  if (regression.equations.withSensors()) {
    result.noise_range = kSensorNoiseRange;
    result.typical_effort = typicalWrench(*recordings.robot, regression);
  }
  if (before == nullptr || before->consistent.parameters.size() == 0 ||
      !before->consistent.result.converged)
    return result;
  // The columns of that fit: its parameters have no friction in newly selected columns.
  const std::vector<int>& fitted = before->estimate.columns;
  const Eigen::MatrixXd E = combinationOf(regression, fitted);
  result.sigma = channelResidual(statistics, fitted, E * before->consistent.parameters)
                     .cwiseMax(kSmallestNoise);
  for (int a = 0; a < statistics.numChannels(); ++a)  // a joint that never moves has no residual
    if (statistics.movingRows(a) == 0.0) result.sigma(a) = before->estimate.sigma(a);
  limitNoiseRange(statistics, result.noise_range, result.typical_effort, result.sigma);
  result.block_weights = before->estimate.block_weights;
  result.weight_passes = 1;
  return result;
}

// The same columns and block weights; the channel noise is that of the consistent fit.
LeastSquaresOptions sameWeights(const Recordings& recordings,
                                const Regression& regression,
                                const Fit& fit,
                                const FitOptions& options) {
  LeastSquaresOptions result =
      leastSquaresOptions(recordings, regression, fit.estimate.columns, options, &fit);
  if (result.block_weights.size() > 0) result.weight_passes = 0;
  return result;
}

Estimate estimateColumns(const Regression& regression,
                         const std::vector<int>& columns,
                         const LeastSquaresOptions& options) {
  Estimate estimate = weightedLeastSquares(*regression.statistics, columns, options);
  if (!estimate.R.allFinite() || !estimate.z.allFinite())
    throw InputError(
        "the logs cannot be fitted: their equations hold numbers that are not finite after "
        "weighting by the noise; check the units of time and effort, and whether the robot moves "
        "at all");
  return estimate;
}

// The physically consistent fit of an estimate.
Fit consistentFit(const Recordings& recordings,
                  const Regression& regression,
                  EffectChoice choice,
                  Estimate estimate,
                  const FitOptions& options) {
  PhysicalFitOptions physical = options.physical;
  physical.threads = options.threads;
  ConsistentFit consistent = fitConsistently(*recordings.robot,
                                             regression.layout(),
                                             combinationOf(regression, estimate.columns),
                                             estimate,
                                             regression.payloads,
                                             options.scale_known,
                                             physical);
  Eigen::VectorXd parameters = consistent.parameters;
  if (parameters.size() == 0) {
    parameters = Eigen::VectorXd::Zero(regression.layout().size());
    parameters(estimate.columns) = estimate.beta;
  }
  return {std::move(choice), std::move(estimate), std::move(consistent), std::move(parameters)};
}

Fit fitChoice(const Recordings& recordings,
              const Regression& regression,
              EffectChoice choice,
              const FitOptions& options,
              const Fit* before = nullptr) {
  const std::vector<int> columns = fittedColumns(regression, choice);
  Estimate estimate = estimateColumns(
      regression, columns, leastSquaresOptions(recordings, regression, columns, options, before));
  return consistentFit(recordings, regression, std::move(choice), std::move(estimate), options);
}

// The second stage changes predictions by less than one unit of chi-square.
PhysicalFitOptions firstStageOnly(PhysicalFitOptions options) {
  options.second_stage = false;
  return options;
}

// Parameters of the columns of `fit` without the blocks `leave_out`. With a prior they are those of
// the fit with prior, which needs no first stage.
Eigen::VectorXd fitWithout(const Recordings& recordings,
                           const Regression& regression,
                           const Fit& fit,
                           const std::vector<bool>& leave_out,
                           const FitOptions& options) {
  constexpr double kTolerance = 1e-6;  // of the gap; the parameters are compared by their errors
  const std::vector<int>& columns = fit.estimate.columns;
  LeastSquaresOptions least_squares = sameWeights(recordings, regression, fit, options);
  least_squares.leave_out = leave_out;
  const Estimate estimate = estimateColumns(regression, columns, least_squares);
  const ConsistentProblem problem = consistentProblem(*recordings.robot,
                                                      regression.layout(),
                                                      combinationOf(regression, columns),
                                                      estimate,
                                                      regression.payloads,
                                                      options.scale_known);
  PhysicalFitOptions physical = physicalOptionsOfPart(options, fit);
  physical.gap_tolerance = std::max(physical.gap_tolerance, kTolerance);
  Eigen::VectorXd x;
  if (physical.prior_weight > 0.0)
    x = fitPriors(problem.problem,
                  physical,
                  {physical.prior_weight},
                  fit.consistent.result.passivity,
                  kTolerance)
            .front();
  if (x.size() == 0) x = solvePhysicalFit(problem.problem, firstStageOnly(physical)).x;
  Eigen::VectorXd parameters = Eigen::VectorXd::Zero(regression.layout().size());
  if (x.size() > 0)
    parameters(problem.columns) = x;
  else
    parameters(columns) = estimate.beta;
  return parameters;
}

// The parameters as base values at the independent columns, as used with the statistics.
Eigen::VectorXd baseValues(const BaseParameters& base, const Eigen::VectorXd& parameters) {
  Eigen::VectorXd values = Eigen::VectorXd::Zero(parameters.size());
  values(base.independent) = base.combination() * parameters;
  return values;
}

SelectionOptions selectionOptions(const Robot& robot, int threads) {
  SelectionOptions options;
  options.threads = threads;
  options.highest_speed = highestActuatorSpeeds(robot);
  return options;
}

}  // namespace

Eigen::MatrixXd combinationOf(const Regression& regression, const std::vector<int>& columns) {
  Eigen::MatrixXd E = combinationOf(regression.base, columns);
  for (const int candidate : candidateColumns(regression.candidates))
    if (!std::binary_search(columns.begin(), columns.end(), candidate)) E.col(candidate).setZero();
  return E;
}

PhysicalFitOptions physicalOptionsOfPart(const FitOptions& options, const Fit& whole) {
  PhysicalFitOptions physical = options.physical;
  physical.tau = std::max(physical.tau, whole.consistent.result.tau);
  physical.widen_tau = false;  // the whole fit has decided
  return physical;
}

Fit fitModel(const Recordings& recordings,
             const Regression& regression,
             const FitOptions& options) {
  Fit fit = fitChoice(recordings, regression, plainChoice(regression.candidates), options);
  if (hasCandidates(regression.candidates)) {
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      EffectChoice choice = selectEffects(*regression.statistics,
                                          regression.candidates,
                                          fixedColumns(regression),
                                          baseValues(regression.base, fit.parameters),
                                          selectionOptions(*recordings.robot, options.threads));
      if (choice == fit.choice) break;
      fit = fitChoice(recordings, regression, std::move(choice), options, &fit);
    }
  }
  return fitChoice(recordings, regression, fit.choice, options, &fit);
}

Fit refit(const Recordings& recordings,
          const Regression& regression,
          const Fit& fit,
          const FitOptions& options) {
  // Without prior the data are exact or few, and their weights must not change.
  if (options.physical.prior_weight == 0.0)
    return consistentFit(recordings, regression, fit.choice, fit.estimate, options);
  Estimate estimate = estimateColumns(
      regression, fit.estimate.columns, sameWeights(recordings, regression, fit, options));
  return consistentFit(recordings, regression, fit.choice, std::move(estimate), options);
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
  FitOptions of_fold = options;
  of_fold.threads = 1;  // the folds are shared out to threads
  fits.parameters.resize(count);
  parallelFor(count, options.threads, [&](int fold) {
    std::vector<bool> leave_out;
    for (const int block_fold : fits.fold_of_block)
      leave_out.push_back(count > 1 && block_fold == fold);
    fits.parameters[fold] = fitWithout(recordings, regression, fit, leave_out, of_fold);
  });
  return fits;
}

}  // namespace dynid
