#include "dynid/motion/estimate_motion.h"

#include "dynid/motion/motion_problem.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dynid {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Predicted decrease relative to the objective, between levels
constexpr double kLevelTolerance = 1e-3;
constexpr double kFinalTolerance = 1e-6;
constexpr int kLevelIterations = 6;
constexpr int kNoiseUpdates = 4;
// A level with twice the knots must lower the residual of efforts or positions by this fraction.
constexpr double kLevelGain = 0.02;
constexpr double kSamplesPerKnot = 3.0;  // at least

void check(const EffortSensitivity& model,
           const std::vector<MotionRecord>& records,
           const MotionOptions& options) {
  const Index n = model.numJoints();
  if (records.empty())
    throw std::invalid_argument("no record of a motion is given; expected at least one");
  for (const MotionRecord& record : records)
    if (record.q.cols() != n || record.effort.cols() != n || record.time.size() < 16 ||
        record.q.rows() != record.time.size() || record.effort.rows() != record.time.size())
      throw std::invalid_argument(
          "a record of a motion is too short or lacks a joint; expected at least 16 samples of "
          "every joint");
  if (options.position_std_dev.size() != n || !(options.position_std_dev.minCoeff() > 0.0) ||
      options.slowest_speed.size() != n)
    throw std::invalid_argument(
        "accuracies or slowest speeds are missing or not positive; expected both per joint");
}

double levelError(const MotionNoise& noise) { return noise.effort_std_dev.array().log().mean(); }

/// Gauss-Newton iterations at one knot rate.
/// @returns whether the tolerance was reached
bool solveLevel(MotionProblem& problem,
                MotionState& state,
                double tolerance,
                int updates,
                int iterations,
                int& used) {
  int updated = 0;
  for (int k = 0; k < iterations; ++k) {
    ++used;
    MotionStep step = problem.linearise(state);
    if (!step.solved) return false;
    const double length = problem.advance(state, step);
    if (length == 0.0) return false;
    const bool converged = step.predicted_decrease < tolerance * step.objective && length == 1.0;
    if (updated < updates &&
        (converged || step.predicted_decrease < 1e-3 * step.objective || k >= 2)) {
      ++updated;
      problem.updateNoise(state);
      continue;
    }
    if (converged) return true;
  }
  return false;
}

}  // namespace

MotionEstimate estimateMotion(const EffortSensitivity& model,
                              const std::vector<MotionRecord>& records,
                              const MotionOptions& options) {
  check(model, records, options);
  double samples = 0.0, seconds = 0.0;
  for (const MotionRecord& record : records) {
    samples += static_cast<double>(record.time.size());
    seconds += record.time(record.time.size() - 1) - record.time(0);
  }
  const double highest = std::min(options.highest_knot_rate, samples / seconds / kSamplesPerKnot);
  MotionProblem problem(model, records, options, std::min(options.first_knot_rate, highest));
  MotionState state = problem.start();
  MotionEstimate estimate;
  if (options.positions_only) {
    estimate.covariance = problem.leastSquaresCovariance();
    estimate.converged = true;
  } else {
    int used = 0;
    solveLevel(problem, state, kLevelTolerance, 2, kLevelIterations, used);
    while (2.0 * problem.knotRate() <= highest && used < options.max_iterations) {
      MotionProblem denser(model, records, options, 2.0 * problem.knotRate(), problem.mask());
      MotionState next = denser.resume(problem, state);
      solveLevel(denser, next, kLevelTolerance, 2, kLevelIterations, used);
      const bool better = levelError(next.noise) < levelError(state.noise) - kLevelGain ||
                          denser.positionRatio(next).array().log().mean() <
                              problem.positionRatio(state).array().log().mean() - kLevelGain;
      if (!better) break;
      problem = std::move(denser);
      state = std::move(next);
    }
    estimate.converged = solveLevel(problem,
                                    state,
                                    kFinalTolerance,
                                    kNoiseUpdates,
                                    std::max(4, options.max_iterations - used),
                                    used);
    const MotionStep last = problem.linearise(state);
    estimate.iterations = used;
    estimate.converged = estimate.converged && last.solved;
    if (last.solved) estimate.covariance = problem.covariance();
    if (!estimate.converged)
      estimate.reason = "the motion did not settle within " + std::to_string(used) + " iterations";
    estimate.position_ratio = problem.positionRatio(state);
  }
  estimate.knot_rate = problem.knotRate();
  estimate.splines = problem.splines();
  estimate.coefficients = problem.coefficientsByRecord(state);
  estimate.theta = state.theta;
  estimate.effort_std_dev = state.noise.effort_std_dev;
  estimate.whitening = state.noise.whitening;
  return estimate;
}

}  // namespace dynid
