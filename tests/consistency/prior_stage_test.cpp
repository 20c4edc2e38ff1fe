#include "dynid/consistency/physical_fit.h"
#include "dynid/consistency/prior.h"

#include <gtest/gtest.h>

#include <random>

namespace dynid {
namespace {

// Two bodies, of which the rows determine only the sum of the masses and the moments of the first
// body, and a spring that the prior may reduce to zero.
PhysicalFitProblem twoBodies(std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  PhysicalFitProblem problem;
  problem.bodies = 2;
  problem.nonnegative = 1;
  problem.free = 1;
  const InertialParameters prior = capsulePrior({0, 0, 0}, {0, 0, 0.4});
  problem.prior = {prior, prior};
  problem.R = Eigen::MatrixXd::Zero(60, 22);
  for (double& value : problem.R.leftCols(10).reshaped()) value = normal(rng);
  problem.R.col(10) = problem.R.col(0);
  for (double& value : problem.R.rightCols(2).reshaped()) value = normal(rng);
  Eigen::VectorXd truth(22);
  truth << 1.3 * prior, 0.8 * prior, 0.4, 0.2;
  problem.z = problem.R * truth;
  for (double& value : problem.z) value += 0.1 * normal(rng);
  return problem;
}

TEST(PriorStage, IsCertified) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (const double weight : {1e-2, 1.0, 1e2}) {
      PhysicalFitOptions options;
      options.prior_weight = weight;
      const PhysicalFitResult fit = solvePhysicalFit(twoBodies(seed), options);
      ASSERT_TRUE(fit.converged) << fit.reason;
      EXPECT_EQ(fit.prior_weight, weight);
      const PriorCheck check = checkPriorCertificate(fit.certificate);
      EXPECT_TRUE(check.valid) << check.reason;
      EXPECT_LE(check.relative_gap, 1e-8);
      const Eigen::VectorXd again = standardFromWhitened(fit.certificate, fit.certificate.prior.x);
      EXPECT_LT((again - fit.x.head(21)).norm(), 1e-12 * fit.x.norm());
      // A wrong point is not optimal.
      Certificate wrong = fit.certificate;
      wrong.prior.x *= 1.01;
      EXPECT_GT(checkPriorCertificate(wrong).relative_gap, 1e-8);
    }
}

TEST(PriorStage, DrawsTowardsThePriorAsItsWeightGrows) {
  const PhysicalFitProblem problem = twoBodies(1);
  double objective = 0.0;  // part of the data, which increases with the weight
  for (const double weight : {1e-2, 1.0, 1e2, 1e4, 1e6}) {
    PhysicalFitOptions options;
    options.prior_weight = weight;
    const PhysicalFitResult fit = solvePhysicalFit(problem, options);
    ASSERT_TRUE(fit.converged) << fit.reason;
    EXPECT_GE(fit.objective, objective) << weight;
    objective = fit.objective;
    if (weight == 1e6) {
      EXPECT_NEAR(fit.x(0), fit.prior_scale * problem.prior[0](0), 0.02 * fit.x(0));
    }
  }
}

TEST(PriorStage, SaysWhichMassesAreThePriors) {
  PhysicalFitProblem problem = twoBodies(2);
  problem.R.col(10).setZero();  // the rows contain no information on the second body
  PhysicalFitOptions options;
  options.prior_weight = 1.0;
  const PhysicalFitResult fit = solvePhysicalFit(problem, options);
  ASSERT_TRUE(fit.converged) << fit.reason;
  ASSERT_EQ(fit.mass_from_data.size(), 2u);
  EXPECT_GT(fit.mass_from_data[0], 0.9);
  EXPECT_LT(fit.mass_from_data[1], 0.05);
}

TEST(PriorStage, DrawsFreeColumnsToZeroWhereAskedTo) {
  PhysicalFitProblem problem = twoBodies(3);
  PhysicalFitOptions options;
  options.prior_weight = 1e4;
  const double plain = solvePhysicalFit(problem, options).x(21);
  problem.free_prior = Eigen::VectorXd::Constant(1, 1.0);
  const PhysicalFitResult drawn = solvePhysicalFit(problem, options);
  ASSERT_TRUE(drawn.converged) << drawn.reason;
  EXPECT_LT(std::abs(drawn.x(21)), 0.1 * std::abs(plain));
  EXPECT_TRUE(checkPriorCertificate(drawn.certificate).valid);
}

TEST(PriorStage, IsOneOfThePathForCrossValidation) {
  const PhysicalFitProblem problem = twoBodies(4);
  const std::vector<Eigen::VectorXd> path = fitPriors(problem, {}, {10.0, 1.0, 0.1}, {}, 1e-4);
  ASSERT_EQ(path.size(), 3u);
  PhysicalFitOptions options;
  options.prior_weight = 1.0;
  const PhysicalFitResult fit = solvePhysicalFit(problem, options);
  ASSERT_EQ(path[1].size(), fit.x.size());
  EXPECT_LT((path[1] - fit.x).norm(), 0.02 * fit.x.norm());
}

}  // namespace
}  // namespace dynid
