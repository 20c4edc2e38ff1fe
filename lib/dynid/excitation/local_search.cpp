#include "dynid/excitation/local_search.h"

#include "dynid/core/errors.h"
#include "dynid/excitation/criterion.h"
#include "dynid/excitation/effort_check.h"
#include "dynid/excitation/effort_rows.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/excitation/passive_check.h"
#include "dynid/excitation/space_check.h"
#include "dynid/excitation/space_rows.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr int kConstraintPointsPerHarmonic = 16;
constexpr int kObjectivePointsPerHarmonic = 24;
constexpr int kStepsBetweenReports = 10;
// Initial collision constraints; if they are violated between the points, both values are
// increased.
constexpr int kSpacePointsPerHarmonic = 8;
constexpr double kSpaceMargin = 0.005;  // m
constexpr int kMostSpacePointsPerHarmonic = 32;
// Efforts are constrained only after they have exceeded their limits; most motions stay far below.
constexpr int kEffortPointsPerHarmonic = 24;
constexpr double kEffortMargin = 0.01, kMostEffortMargin = 0.05;
constexpr int kRefinements = 2;
constexpr int kShrinkings = 12;
constexpr double kImpossible = 1e3;  // effort share of a motion that the mechanism cannot perform
constexpr double kPerMetre = 10.0;   // weight of the missing clearance in the excess
constexpr int kTriedPostures = 300;
constexpr double kPostureRoom = 0.05, kPostureEffort = 0.9;  // [m], share of the limit

Eigen::VectorXd criterionWeights(const SearchProblem& problem) {
  if (problem.criterion == Criterion::kCondition)
    return Eigen::VectorXd::Ones(problem.weights.size());
  return problem.weights;
}

}  // namespace

LocalSearch::LocalSearch(const SearchProblem& problem)
    : problem_(problem),
      information_(std::make_shared<Information>(
          problem.robot, problem.sought, criterionWeights(problem), problem.earlier)),
      objective_(information_,
                 problem.limits.velocity,
                 problem.harmonics,
                 problem.period_s,
                 kObjectivePointsPerHarmonic * problem.harmonics),
      scale_(coefficientScale(problem.limits, problem.harmonics, problem.period_s)),
      efforts_limited_(problem.limits.effort.array().isFinite().any()),
      space_points_(kSpacePointsPerHarmonic),
      space_margin_(kSpaceMargin) {
  addLimits(problem.limits,
            scale_,
            problem.period_s,
            kConstraintPointsPerHarmonic * problem.harmonics,
            program_);
  if (problem.from_rest) restrictToRest(scale_, program_);
  if (problem.space && problem.space->count() > 0) space_ = problem.space;
  setRows();
}

Eigen::MatrixXd LocalSearch::toX(const Eigen::VectorXd& x) const {
  Eigen::MatrixXd X = scale_.cwiseProduct(x.reshaped(scale_.rows(), scale_.cols()));
  if (problem_.from_rest) bringToRest(X);
  X.row(0) += problem_.limits.middle().transpose();
  return X;
}

Eigen::VectorXd LocalSearch::toVariables(Eigen::MatrixXd X) const {
  X.row(0) -= problem_.limits.middle().transpose();
  return X.cwiseQuotient(scale_).reshaped();
}

// Gradient by the variables from that by the coefficients: toX is linear, and bringToRest is an
// orthogonal projection.
Eigen::VectorXd LocalSearch::byVariables(Eigen::MatrixXd gradient) const {
  if (problem_.from_rest) bringToRest(gradient);
  return gradient.cwiseProduct(scale_).reshaped();
}

double LocalSearch::spaceExcess(const Eigen::MatrixXd& X) const {
  if (!space_) return 0.0;
  const Approach approach = closestApproach(*space_, boundedMotion(X, problem_.period_s));
  if (approach.clear) return 0.0;
  // An undecided interval counts as a contact.
  return kPerMetre * std::max(space_->clearance() - approach.gap, 1e-9);
}

// Effort share of the most loaded joint; very large if the mechanism cannot perform the motion.
double LocalSearch::effortShare(const MotionSamples& motion) const {
  if (!mechanismViolations(*problem_.robot, motion).empty()) return kImpossible;
  if (!efforts_limited_) return 0.0;
  const Eigen::ArrayXd efforts = effortPeaks(*problem_.robot, motion);
  return (efforts / problem_.limits.effort.array()).maxCoeff();
}

double LocalSearch::excess(const Eigen::MatrixXd& X, const MotionSamples& motion) const {
  return spaceExcess(X) + std::max(effortShare(motion) - 1.0, 0.0);
}

// Scales the motion about its offset while loops open or a passive joint exceeds its limits.
void LocalSearch::shrinkIntoMechanism(Eigen::MatrixXd& X) const {
  const auto broken = [&] {
    return !mechanismViolations(*problem_.robot, denseSamples(X, problem_.period_s)).empty();
  };
  for (int i = 0; i < kShrinkings && broken(); ++i) X.bottomRows(X.rows() - 1) *= 0.85;
}

Candidate LocalSearch::candidate(const Eigen::VectorXd& x) {
  Candidate candidate{toX(x), INFINITY};
  Eigen::MatrixXd& X = candidate.X;
  if (!X.allFinite()) return candidate;
  X.row(0) = X.row(0)
                 .cwiseMax(problem_.limits.lower.transpose())
                 .cwiseMin(problem_.limits.upper.transpose())
                 .eval();
  shrinkIntoLimits(problem_.limits, problem_.period_s, X);
  shrinkIntoMechanism(X);
  const MotionSamples motion = denseSamples(X, problem_.period_s);
  candidate.excess = excess(X, motion);
  if (candidate.excess > 0.0) return candidate;
  const Eigen::MatrixXd M =
      information_->matrix(motion, Eigen::VectorXd::Zero(problem_.weights.size()));
  // With this sharpness the smooth approximation of E agrees with the eigenvalue to eleven digits.
  candidate.score = problem_.criterion == Criterion::kCondition
                        ? std::log(conditionNumber(M))
                        : evaluateCriterion(problem_.criterion, M, 1e12).value;
  return candidate;
}

Eigen::VectorXd LocalSearch::run(const Descent& stage, const Eigen::VectorXd& start) {
  program_.f = [&](const Eigen::VectorXd& x, Eigen::VectorXd* gradient) {
    Eigen::MatrixXd g;
    const double value = objective_.evaluate(
        stage.criterion, stage.smoothness, toX(x), gradient != nullptr ? &g : nullptr);
    if (gradient == nullptr) return value;
    *gradient = byVariables(g);
    if (++steps_ % kStepsBetweenReports == 0 && on_progress_) on_progress_(x);
    return value;
  };
  ProgramOptions options;
  options.max_iterations = stage.iterations;
  options.first_barrier = stage.first_barrier;
  Eigen::VectorXd x = start;
  for (int attempt = 0;; ++attempt) {
    const ProgramResult result = solveProgram(program_, x, options);
    if (result.usable) x = result.x;
    const bool without_efforts = !(effort_margin_ > 0.0);
    if (attempt == kRefinements || !tighten(x)) return x;
    // A start found without effort limits may be infeasible and unrecoverable; return to the
    // original start.
    if (without_efforts && effort_margin_ > 0.0) x = start;
  }
}

// Tightens the constraints that x violates between their points. Returns false if nothing can be
// tightened.
bool LocalSearch::tighten(const Eigen::VectorXd& x) {
  const Eigen::MatrixXd X = toX(x);
  if (!X.allFinite()) return false;
  bool tightened = false;
  if (space_points_ < kMostSpacePointsPerHarmonic && spaceExcess(X) > 0.0) {
    space_points_ *= 2;
    space_margin_ += kSpaceMargin;
    tightened = true;
  }
  if (efforts_limited_ && effort_margin_ < kMostEffortMargin &&
      effortShare(denseSamples(X, problem_.period_s)) > 1.0) {
    effort_margin_ += kEffortMargin;
    tightened = true;
  }
  if (tightened) setRows();
  return tightened;
}

void LocalSearch::setRows() {
  const int L = problem_.harmonics;
  rows_.clear();
  if (space_) {
    const auto rows = std::make_shared<const SpaceRows>(
        space_, L, problem_.period_s, space_points_ * L, space_margin_);
    rows_.push_back(
        {rows->count(), [rows](const auto& X, auto& g, auto* J) { rows->evaluate(X, g, J); }});
  }
  if (effort_margin_ > 0.0) {
    const auto rows = std::make_shared<EffortRows>(problem_.robot,
                                                   problem_.limits,
                                                   L,
                                                   problem_.period_s,
                                                   kEffortPointsPerHarmonic * L,
                                                   effort_margin_);
    rows_.push_back(
        {rows->count(), [rows](const auto& X, auto& g, auto* J) { rows->evaluate(X, g, J); }});
  }
  program_.rows_of_g = 0;
  for (const Rows& rows : rows_) program_.rows_of_g += rows.count;
  program_.g = [this](const Eigen::VectorXd& x, Eigen::VectorXd& g, Eigen::MatrixXd* jacobian) {
    evaluateRows(x, g, jacobian);
  };
}

void LocalSearch::evaluateRows(const Eigen::VectorXd& x,
                               Eigen::VectorXd& g,
                               Eigen::MatrixXd* jacobian) const {
  const Eigen::MatrixXd X = toX(x);
  g.resize(program_.rows_of_g);
  if (jacobian != nullptr) jacobian->resize(program_.rows_of_g, x.size());
  int row = 0;
  for (const Rows& rows : rows_) {
    Eigen::VectorXd values;
    Eigen::MatrixXd by_X;
    try {
      rows.evaluate(X, values, jacobian != nullptr ? &by_X : nullptr);
    } catch (const InputError&) {  // the mechanism does not reach the position
      values.setConstant(rows.count, NAN);
      if (jacobian != nullptr) by_X.setConstant(rows.count, X.size(), NAN);
    }
    g.segment(row, rows.count) = values;
    for (Eigen::Index i = 0; i < by_X.rows(); ++i)
      jacobian->row(row + i) =
          byVariables(by_X.row(i).reshaped(scale_.rows(), scale_.cols())).transpose();
    row += rows.count;
  }
}

Eigen::VectorXd LocalSearch::randomStart(RandomStream& random) const {
  const Eigen::Index width = scale_.rows();
  Eigen::MatrixXd X = scale_;
  for (Eigen::Index j = 0; j < X.cols(); ++j)
    for (Eigen::Index i = 0; i < width; ++i)
      X(i, j) *= i == 0 ? random.uniform(-0.5, 0.5) : 0.3 * random.normal();
  X.row(0) += problem_.limits.middle().transpose();
  if (problem_.from_rest) bringToRest(X);
  X.row(0) = easyPosture(X.row(0).transpose(), random).transpose();
  shrinkIntoLimits(problem_.limits, problem_.period_s, X);
  X.bottomRows(width - 1) *= 0.9;
  for (int i = 0; i < 20 && excess(X, denseSamples(X, problem_.period_s)) > 0.0; ++i)
    X.bottomRows(width - 1) *= 0.7;
  return toVariables(X);
}

// A posture with clearance and effort reserve: the given one, or the best of random ones.
Eigen::VectorXd LocalSearch::easyPosture(Eigen::VectorXd q, RandomStream& random) const {
  const Eigen::VectorXd middle = problem_.limits.middle(), half = problem_.limits.half();
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(1, q.size());
  const auto burden = [&] {
    double sum = std::max(effortShare({q.transpose(), zero, zero}) - kPostureEffort, 0.0);
    if (space_)
      sum +=
          kPerMetre * std::max(space_->clearance() + kPostureRoom - space_->smallest(q).first, 0.0);
    return sum;
  };
  Eigen::VectorXd best = q;
  double least = burden();
  for (int i = 0; i < kTriedPostures && least > 0.0; ++i) {
    for (Eigen::Index j = 0; j < q.size(); ++j)
      q(j) = middle(j) + half(j) * random.uniform(-0.8, 0.8);
    if (const double other = burden(); other < least) {
      least = other;
      best = q;
    }
  }
  return best;
}

}  // namespace dynid
