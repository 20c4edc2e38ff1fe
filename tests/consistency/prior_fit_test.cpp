#include "dynid/consistency/prior_fit.h"

#include "dynid/spatial/pseudo_inertia.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace dynid {
namespace {

// Random data of `bodies` bodies and `scalars` scalars; the trace bound is not active.
ConicProblem randomConic(int bodies, int scalars, int rows, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  ConicProblem problem;
  problem.bodies = bodies;
  problem.scalars = scalars;
  problem.A.resize(rows, problem.size());
  for (double& value : problem.A.reshaped()) value = 0.3 * normal(rng);
  problem.b.resize(rows);
  for (double& value : problem.b) value = normal(rng);
  problem.c0 = 0.1;
  problem.C = coneIdentity(bodies, scalars).transpose();
  problem.d = Eigen::VectorXd::Constant(1, 10.0 * (4 * bodies + scalars));
  return problem;
}

TEST(PriorFit, IsThePriorWithoutData) {
  ConicProblem problem = randomConic(2, 0, 0, 1);
  const PriorFitResult fit = fitWithPrior(problem, {0.5}, {}).front();
  ASSERT_TRUE(fit.converged);
  EXPECT_LT((fit.x - coneIdentity(2, 0)).norm(), 1e-3);
  EXPECT_NEAR(fit.objective, 0.1 + 0.5 * 8.0, 1e-6);
}

TEST(PriorFit, IsTheRootOfTheQuadraticForOneMeasuredEntry) {
  // min 1/2 (a q - b)^2 + w (q - log q): a^2 q^2 + (w - a b) q - w = 0.
  const double a = 2.0, b = 3.0, w = 0.7;
  ConicProblem problem = randomConic(1, 0, 1, 1);
  problem.A.setZero();
  problem.A(0, 9) = a;  // entry 33 of Q
  problem.b(0) = b;
  const PriorFitResult fit = fitWithPrior(problem, {w}, {1e-10, 60, {}}).front();
  ASSERT_TRUE(fit.converged);
  const double p = w - a * b;
  EXPECT_NEAR(fit.x(9), (-p + std::sqrt(p * p + 4.0 * a * a * w)) / (2.0 * a * a), 1e-4);
}

TEST(PriorFit, ConvergesForEveryWeightOnTheWay) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ConicProblem problem = randomConic(3, 4, 25, seed);
    for (const PriorFitResult& fit :
         fitWithPrior(problem, {10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4}, {1e-8, 60, {}})) {
      EXPECT_TRUE(fit.converged) << "seed " << seed << " weight " << fit.weight;
      EXPECT_LE(fit.gap, 1e-8 * problem.relativeTo(fit.objective));
    }
  }
}

// An active trace bound and little weight: rounding errors of A x, times the bound, are larger than
// the tolerance in multipliers that contain them.
TEST(PriorFit, ClosesTheGapWhereTheTraceBoundIsActive) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    ConicProblem problem = randomConic(30, 100, 200, seed);
    Eigen::VectorXd x = 30.0 * coneIdentity(30, 100);
    problem.b = problem.A * x;
    problem.A /= problem.b.norm();
    problem.b.normalize();
    problem.d(0) = 0.99 * coneIdentity(30, 100).dot(x);
    problem.c0 = 0.0;
    const PriorFitResult fit = fitWithPrior(problem, {1e-11}, {1e-8, 120, {}}).front();
    EXPECT_TRUE(fit.converged) << seed << ": gap " << fit.gap << " of " << fit.objective;
  }
}

TEST(PriorFit, GapBoundsTheDistanceOfAnyPointForAnyMultipliers) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const ConicProblem problem = randomConic(2, 2, 12, seed);
    const double weight = 0.05;
    const PriorFitResult best = fitWithPrior(problem, {weight}, {1e-10, 80, {}}).front();
    ASSERT_TRUE(best.converged);
    for (int trial = 0; trial < 20; ++trial) {
      // Towards another interior point, with multipliers of different magnitudes.
      const Eigen::VectorXd x =
          best.x + uniform(rng) * (2.0 * uniform(rng) * coneIdentity(2, 2) - best.x);
      const Eigen::VectorXd nu = Eigen::VectorXd::Constant(1, std::pow(10.0, -6 * uniform(rng)));
      const double distance = priorObjective(problem, weight, x) - best.objective;
      EXPECT_GE(priorGap(problem, weight, x, problem.b - problem.A * x, nu), distance - 1e-12)
          << seed;
    }
  }
}

TEST(PriorFit, DoesNotDrawScalarsToAPrior) {
  // One scalar with its own measurement: the least-squares value, independent of the weight of the
  // bodies' prior.
  ConicProblem problem = randomConic(1, 1, 1, 1);
  problem.A.setZero();
  problem.A(0, 10) = 1.0;
  problem.b(0) = 0.3;
  const PriorFitResult fit = fitWithPrior(problem, {5.0}, {1e-10, 80, {}}).front();
  ASSERT_TRUE(fit.converged);
  EXPECT_NEAR(fit.x(10), 0.3, 1e-4);
}

}  // namespace
}  // namespace dynid
