#include "dynid/excitation/chain.h"

#include "dynid/excitation/effort_check.h"
#include "dynid/excitation/space_check.h"
#include "dynid/excitation/space_rows.h"
#include "dynid/validation/random_stream.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr int kScorePointsPerHarmonic = 200;
constexpr int kConstraintPointsPerHarmonic = 16;
constexpr int kObjectivePointsPerHarmonic = 24;
constexpr int kStepsBetweenLooks = 10;
// Of the space, to begin with; where it does not hold between the points, more of both.
constexpr int kSpacePointsPerHarmonic = 8;
constexpr double kSpaceMargin = 0.005;  // m
constexpr int kMostSpacePointsPerHarmonic = 32;
constexpr int kRefinements = 2;
constexpr int kPostures = 300;

struct Stage {
  Criterion criterion;
  double sharpness, velocity_share;
  int iterations;
  double first_barrier;
};

std::vector<Stage> descent(Criterion criterion, bool from_scratch) {
  std::vector<Stage> stages;
  if (from_scratch) stages.push_back({Criterion::kD, 1.0, 0.1, 60, 1e-1});
  if (criterion == Criterion::kD || criterion == Criterion::kA) {
    stages.push_back({criterion, 1.0, 0.03, 300, 1e-2});
    return stages;
  }
  if (from_scratch) stages.push_back({criterion, 2.0, 0.05, 150, 1e-2});
  stages.push_back({criterion, 6.0, 0.03, 200, 1e-3});
  stages.push_back({criterion, 25.0, 0.015, 200, 1e-4});
  return stages;
}

class Walker {
 public:
  explicit Walker(const SearchProblem& problem)
      : problem_(problem),
        information_(std::make_shared<Information>(
            problem.robot, problem.sought, criterionWeights(problem), problem.earlier)),
        objective_(information_,
                   problem.limits,
                   problem.harmonics,
                   problem.period_s,
                   kObjectivePointsPerHarmonic * problem.harmonics),
        scale_(coefficientScale(problem.limits, problem.harmonics, problem.period_s)) {
    addLimits(problem.limits,
              scale_,
              problem.period_s,
              kConstraintPointsPerHarmonic * problem.harmonics,
              program_);
    if (problem.from_rest) restrictToRest(scale_, program_);
    if (problem.space && problem.space->count() > 0) space_ = problem.space;
    if (space_) setSpaceRows();
  }

  Eigen::MatrixXd toX(const Eigen::VectorXd& x) const {
    Eigen::MatrixXd X = scale_.cwiseProduct(
        Eigen::Map<const Eigen::MatrixXd>(x.data(), scale_.rows(), scale_.cols()));
    if (problem_.from_rest) bringToRest(X);
    X.row(0) += problem_.limits.middle().transpose();
    return X;
  }
  // The gradient by the variables from that by the coefficients: toX is linear, and bringToRest is
  // an orthogonal projection.
  Eigen::VectorXd byVariables(Eigen::MatrixXd g) const {
    if (problem_.from_rest) bringToRest(g);
    g = g.cwiseProduct(scale_);
    return g.reshaped();
  }
  Eigen::VectorXd toVariables(Eigen::MatrixXd X) const {
    X.row(0) -= problem_.limits.middle().transpose();
    X = X.cwiseQuotient(scale_);
    return Eigen::Map<const Eigen::VectorXd>(X.data(), X.size());
  }

  Candidate score(const Eigen::VectorXd& x) {
    Candidate candidate{toX(x), INFINITY};
    const Eigen::ArrayXd offset = candidate.X.row(0);
    if (!candidate.X.allFinite()) return candidate;
    if (problem_.from_rest) bringToRest(candidate.X);
    candidate.X.row(0) = offset.max(problem_.limits.lower.array())
                             .min(problem_.limits.upper.array())
                             .matrix()
                             .transpose();
    shrinkIntoLimits(problem_.limits, problem_.period_s, candidate.X);
    if (space_) {
      const Approach approach =
          closestApproach(*space_, boundedMotion(candidate.X, problem_.period_s));
      candidate.gap = approach.gap;
      if (!approach.clear) return candidate;
    }
    candidate.score = trueScore(problem_, *information_, candidate.X);
    return candidate;
  }

  Eigen::VectorXd run(const Stage& stage, const Eigen::VectorXd& start) {
    const ExcitationObjective::Smoothness smoothness{stage.sharpness, stage.velocity_share};
    program_.f = [&](const Eigen::VectorXd& x, Eigen::VectorXd* gradient) {
      Eigen::MatrixXd g;
      const double value = objective_.evaluate(
          stage.criterion, smoothness, toX(x), gradient != nullptr ? &g : nullptr);
      if (gradient == nullptr) return value;
      *gradient = byVariables(g);
      if (++looks_ % kStepsBetweenLooks == 0 && look_) look_(x);
      return value;
    };
    ProgramOptions options;
    options.max_iterations = stage.iterations;
    options.first_barrier = stage.first_barrier;
    Eigen::VectorXd x = start;
    for (int attempt = 0;; ++attempt) {
      const ProgramResult result = solveProgram(program_, x, options);
      if (result.usable) x = result.x;
      if (!space_ || attempt == kRefinements || isClear(x)) return x;
      if (space_points_ >= kMostSpacePointsPerHarmonic) return x;
      // It touches between the points, or the limits have moved it.
      space_points_ *= 2;
      space_margin_ += kSpaceMargin;
      setSpaceRows();
    }
  }

  /// Called with a point on the way every few steps of `run`: a search that is cut short has what
  /// it has come to.
  void onTheWay(std::function<void(const Eigen::VectorXd&)> look) { look_ = std::move(look); }

  Eigen::VectorXd randomStart(RandomStream& random) const {
    const Eigen::Index width = scale_.rows();
    Eigen::MatrixXd X = scale_;
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      for (Eigen::Index i = 0; i < width; ++i)
        X(i, j) *= i == 0 ? random.uniform(-0.5, 0.5) : 0.3 * random.normal();
    X.row(0) += problem_.limits.middle().transpose();
    if (problem_.from_rest) bringToRest(X);
    if (space_) X.row(0) = clearPosture(X.row(0).transpose(), random).transpose();
    shrinkIntoLimits(problem_.limits, problem_.period_s, X);
    X.bottomRows(width - 1) *= 0.9;
    for (int i = 0; space_ && i < 20 && !isClear(toVariables(X)); ++i)
      X.bottomRows(width - 1) *= 0.7;
    return toVariables(X);
  }

 private:
  void setSpaceRows() {
    const auto rows = std::make_shared<const SpaceRows>(space_,
                                                        problem_.harmonics,
                                                        problem_.period_s,
                                                        space_points_ * problem_.harmonics,
                                                        space_margin_);
    program_.rows_of_g = rows->count();
    program_.g = [this, rows](
                     const Eigen::VectorXd& x, Eigen::VectorXd& g, Eigen::MatrixXd* jacobian) {
      rows->evaluate(toX(x), g, jacobian);
      if (jacobian == nullptr) return;
      for (auto row : jacobian->rowwise())
        row = byVariables(row.reshaped(scale_.rows(), scale_.cols())).transpose();
    };
  }

  bool isClear(const Eigen::VectorXd& x) const {
    if (!x.allFinite()) return false;
    return closestApproach(*space_, boundedMotion(toX(x), problem_.period_s)).clear;
  }

  // A posture with room around it: the given one, else the roomiest of random ones.
  Eigen::VectorXd clearPosture(Eigen::VectorXd q, RandomStream& random) const {
    const Eigen::VectorXd middle = problem_.limits.middle(), half = problem_.limits.half();
    Eigen::VectorXd best = q;
    double widest = space_->smallest(q).first;
    for (int i = 0; i < kPostures && widest < space_->clearance() + 0.05; ++i) {
      for (Eigen::Index j = 0; j < q.size(); ++j)
        q(j) = middle(j) + half(j) * random.uniform(-0.8, 0.8);
      const double gap = space_->smallest(q).first;
      if (gap <= widest) continue;
      widest = gap;
      best = q;
    }
    return best;
  }

  const SearchProblem& problem_;
  std::shared_ptr<Information> information_;
  ExcitationObjective objective_;
  Eigen::MatrixXd scale_;
  NonlinearProgram program_;
  std::shared_ptr<const Space> space_;  // null: nothing to keep clear of
  std::function<void(const Eigen::VectorXd&)> look_;
  int looks_ = 0;
  int space_points_ = kSpacePointsPerHarmonic;
  double space_margin_ = kSpaceMargin;
};

}  // namespace

Eigen::VectorXd criterionWeights(const SearchProblem& problem) {
  if (problem.criterion == Criterion::kCondition)
    return Eigen::VectorXd::Ones(problem.weights.size());
  return problem.weights;
}

double trueScore(const SearchProblem& problem, Information& information, const Eigen::MatrixXd& X) {
  const FourierBasis basis =
      fourierBasis(problem.harmonics,
                   problem.period_s,
                   periodGrid(problem.period_s, kScorePointsPerHarmonic * problem.harmonics));
  const MotionSamples motion{basis.q * X, basis.dq * X, basis.ddq * X};
  if ((effortPeaks(*problem.robot, motion).array() > problem.limits.effort.array()).any())
    return INFINITY;
  const Eigen::MatrixXd M =
      information.matrix(motion, Eigen::VectorXd::Zero(problem.weights.size()));
  if (problem.criterion == Criterion::kCondition) return std::log(conditionNumber(M));
  // So sharp that the smooth stand-in of E is the eigenvalue itself to eleven digits.
  return evaluateCriterion(problem.criterion, M, 1e12).value;
}

void runChain(const SearchProblem& problem,
              std::uint64_t chain,
              int hops,
              const std::function<bool(const Candidate&)>& found) {
  Walker walker(problem);
  RandomStream random(problem.seed, chain);
  Eigen::VectorXd x = walker.randomStart(random), best_x = x;
  Candidate best = walker.score(x);
  if ((std::isfinite(best.score) || std::isfinite(best.gap)) && !found(best)) return;
  double step = 0.15;
  bool improved = false, stopped = false;
  const auto look = [&](const Eigen::VectorXd& at) {
    if (stopped) return;
    const Candidate candidate = walker.score(at);
    const bool less_deep =
        !std::isfinite(best.score) && std::isfinite(candidate.gap) && candidate.gap > best.gap;
    if (!(candidate.score < best.score) && !less_deep) return;
    improved = improved || candidate.score < best.score;
    best = candidate;
    best_x = at;
    stopped = !found(best);
  };
  walker.onTheWay(look);
  for (int hop = 0; hop <= hops && !stopped; ++hop) {
    if (hop > 0) {
      x = best_x;
      for (double& value : x) value += step * random.normal();
      x *= 0.95;
    }
    improved = false;
    for (const Stage& stage : descent(problem.criterion, hop == 0)) {
      x = walker.run(stage, x);
      look(x);
      if (stopped) return;
    }
    step = std::clamp(step * (improved ? 1.3 : 0.85), 0.02, 0.4);
  }
}

}  // namespace dynid
