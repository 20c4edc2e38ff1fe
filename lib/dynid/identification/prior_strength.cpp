#include "dynid/core/parallel.h"
#include "dynid/identification/fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dynid {
namespace {

constexpr int kPriorFolds = 8;
constexpr double kTolerance = 1e-4;                            // of the gap of a fold's fit
constexpr double kHighest = 4.0, kLowest = -2.0, kStep = 0.5;  // decades

std::vector<double> weightGrid() {
  std::vector<double> weights;
  for (double decade = kHighest; decade >= kLowest; decade -= kStep)
    weights.push_back(std::pow(10.0, decade));
  return weights;
}

std::vector<TriangularFactor> foldFactors(const Statistics& statistics,
                                          const Estimate& estimate,
                                          int folds,
                                          int threads) {
  const std::vector<int> fold_of_block = foldsOfBlocks(statistics, folds);
  std::vector<TriangularFactor> factors(folds, TriangularFactor(std::ssize(estimate.columns) + 1));
  parallelFor(folds, threads, [&](int fold) {
    std::vector<bool> wanted;
    for (const int of_block : fold_of_block) wanted.push_back(of_block == fold);
    factors[fold] = whitenedBlocks(statistics, estimate, wanted);
  });
  return factors;
}

// The estimate without fold `left`, with the entries that the consistent fit needs.
Estimate without(const Estimate& whole, const std::vector<TriangularFactor>& folds, size_t left) {
  const Eigen::Index p = std::ssize(whole.columns);
  TriangularFactor train(p + 1);
  for (size_t f = 0; f < folds.size(); ++f)
    if (f != left) train.merge(folds[f]);
  const Eigen::MatrixXd R = train.squareR();
  Estimate estimate = whole;
  estimate.R = R.topLeftCorner(p, p);
  estimate.z = R.topRightCorner(p, 1);
  estimate.residual_squared = R(p, p) * R(p, p);
  estimate.rows = train.rows();
  return estimate;
}

// Whether the residual is below a thousandth of the effort. The tolerance of the fits has its floor
// there, so that the fits of the folds cannot be compared.
bool isExact(const Fit& fit) {
  constexpr double kLeastError = 1e-6;  // squared, relative to the effort
  const double effort = fit.estimate.z.squaredNorm() + fit.estimate.residual_squared;
  return 2.0 * fit.consistent.result.objective_optimal < kLeastError * effort;
}

}  // namespace

double choosePriorWeight(const Recordings& recordings,
                         const Regression& regression,
                         const Fit& fit,
                         const FitOptions& options) {
  const int folds = std::min(kPriorFolds, regression.statistics->numBlocks());
  if (folds < 2 || !fit.consistent.result.converged || isExact(fit)) return 0.0;
  const std::vector<double> weights = weightGrid();
  const std::vector<TriangularFactor> factors =
      foldFactors(*regression.statistics, fit.estimate, folds, options.threads);
  const Eigen::MatrixXd E = combinationOf(regression, fit.estimate.columns);
  const PhysicalFitOptions physical = physicalOptionsOfPart(options, fit);
  // Per weight and fold; infinite where there is no fit.
  Eigen::MatrixXd errors = Eigen::MatrixXd::Zero(std::ssize(weights), std::ssize(factors));
  parallelFor(folds, options.threads, [&](int fold) {
    const auto f = static_cast<size_t>(fold);
    if (factors[f].rows() == 0.0) return;
    const ConsistentProblem train = consistentProblem(*recordings.robot,
                                                      regression.layout(),
                                                      E,
                                                      without(fit.estimate, factors, f),
                                                      regression.payloads,
                                                      options.scale_known);
    const std::vector<Eigen::VectorXd> fits =
        fitPriors(train.problem, physical, weights, fit.consistent.result.passivity, kTolerance);
    for (size_t w = 0; w < weights.size(); ++w) {
      double& error = errors(w, fold);
      error = std::numeric_limits<double>::infinity();
      if (fits[w].size() == 0) continue;
      Eigen::VectorXd parameters = Eigen::VectorXd::Zero(regression.layout().size());
      parameters(train.columns) = fits[w];
      Eigen::VectorXd of_rows(E.rows() + 1);
      of_rows << E * parameters, -1.0;
      error = (factors[f].squareR() * of_rows).squaredNorm();
    }
  });
  Eigen::Index best = 0;
  const double least = errors.rowwise().sum().minCoeff(&best);
  return std::isfinite(least) ? weights[best] : 0.0;
}

}  // namespace dynid
