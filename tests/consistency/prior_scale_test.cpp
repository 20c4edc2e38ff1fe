#include "dynid/consistency/prior_scale.h"

#include "dynid/consistency/prior.h"

#include <gtest/gtest.h>

#include <random>

namespace dynid {
namespace {

constexpr int kLink = 0, kPayload = 10, kFriction = 20;  // first columns

// A link with the parameters of its prior, a payload that half of the rows carry, friction whose
// rows resemble the response of the link, and an offset.
PhysicalFitProblem linkWithPayload(double payload, double friction, std::uint64_t seed = 1) {
  std::mt19937_64 rng(seed);
  std::normal_distribution<double> normal;
  PhysicalFitProblem problem;
  problem.bodies = 2;
  problem.payloads = 1;
  problem.nonnegative = 1;
  problem.free = 1;
  problem.trust_prior_scale = true;
  const InertialParameters prior = capsulePrior({0, 0, 0}, {0, 0, 0.4});
  problem.prior = {prior, prior};
  problem.R = Eigen::MatrixXd::Zero(80, 22);
  for (double& value : problem.R.leftCols(10).reshaped()) value = normal(rng);
  for (double& value : problem.R.rightCols(2).reshaped()) value = normal(rng);
  problem.R.block<40, 10>(0, kPayload) = problem.R.block<40, 10>(0, kLink);
  problem.R.col(kFriction) += problem.R.leftCols(10) * prior;
  Eigen::VectorXd truth(22);
  truth << prior, payload * prior, friction, 3.0;
  problem.z = problem.R * truth;
  for (double& value : problem.z) value += 0.1 * normal(rng);
  return problem;
}

TEST(PriorScale, DescribedMassesAreKeptWhateverThePayload) {
  for (const double payload : {0.0, 1.0, 10.0})
    EXPECT_EQ(priorScale(linkWithPayload(payload, 0.0)), 1.0) << payload;
}

TEST(PriorScale, DescribedMassesAreKeptWhereFrictionDominates) {
  EXPECT_EQ(priorScale(linkWithPayload(0.0, 5.0)), 1.0);
  // A rough prior keeps the effort that friction explains.
  PhysicalFitProblem rough = linkWithPayload(0.0, 5.0);
  rough.trust_prior_scale = false;
  EXPECT_GT(priorScale(rough), 3.0);
  rough = linkWithPayload(10.0, 0.0);
  rough.trust_prior_scale = false;
  EXPECT_NEAR(priorScale(rough), 1.0, 0.3);
}

TEST(PriorScale, DescribedMassesThatTheDataContradictAreScaled) {
  PhysicalFitProblem problem = linkWithPayload(1.0, 2.0);
  problem.prior[0] *= 2.0;
  EXPECT_EQ(priorScale(problem), 1.0);  // noise is one: the rows hardly tell
  problem.R *= 10.0;
  problem.z *= 10.0;
  EXPECT_NEAR(priorScale(problem), 0.5, 0.02);
}

TEST(PriorScale, DescribedMassesAreKeptWhereNoRowTellsLinkFromPayload) {
  PhysicalFitProblem problem = linkWithPayload(1.0, 0.0);
  problem.R.middleCols(kPayload, 10) = problem.R.middleCols(kLink, 10);
  EXPECT_EQ(priorScale(problem), 1.0);
}

TEST(PriorScale, HasNoLimitsInUnknownUnits) {
  for (const bool described : {true, false}) {
    PhysicalFitProblem problem = linkWithPayload(1.0, 1.0);
    problem.trust_prior_scale = described;
    problem.scale_known = false;
    const double scale = priorScale(problem);
    EXPECT_GT(scale, 0.0);
    for (const double unit : {1e-3, 1e3}) {
      PhysicalFitProblem other = problem;
      other.z *= unit;
      EXPECT_NEAR(priorScale(other), unit * scale, 1e-9 * unit * scale);
    }
    problem.z *= -1.0;
    EXPECT_GT(priorScale(problem), 0.0);
  }
  PhysicalFitProblem known = linkWithPayload(1.0, 1.0);
  known.z *= 1e3;
  EXPECT_EQ(priorScale(known), 20.0);
}

// With a strong prior every body is drawn to its own: that of the payload is not scaled with the
// links.
TEST(PriorScale, IsThatOfTheLinksAlone) {
  PhysicalFitProblem problem = linkWithPayload(1.0, 0.0);
  problem.prior[0] *= 2.0;
  problem.R *= 10.0;
  problem.z *= 10.0;
  PhysicalFitOptions options;
  options.prior_weight = 1e9;
  for (const bool known : {true, false}) {
    problem.scale_known = known;
    const PhysicalFitResult fit = solvePhysicalFit(problem, options);
    ASSERT_TRUE(fit.converged) << fit.reason;
    EXPECT_NEAR(fit.prior_scale, 0.5, 0.02);
    EXPECT_NEAR(fit.x(kLink), fit.prior_scale * problem.prior[0](0), 0.02 * fit.x(kLink));
    const double payload = (known ? 1.0 : fit.prior_scale) * problem.prior[1](0);
    EXPECT_NEAR(fit.x(kPayload), payload, 0.03 * payload);
  }
}

// The margin does not move the point to which the prior draws.
TEST(PriorScale, BodiesWithoutDataHaveTheMassOfTheirPrior) {
  PhysicalFitProblem problem = linkWithPayload(1.0, 0.0);
  problem.R.middleCols(kPayload, 10).setZero();
  PhysicalFitOptions options;
  options.prior_weight = 10.0;
  for (const double margin : {0.0, 1e-3, 0.2}) {
    options.margin = margin;
    const PhysicalFitResult fit = solvePhysicalFit(problem, options);
    ASSERT_TRUE(fit.converged) << fit.reason;
    EXPECT_NEAR(fit.x(kPayload) / problem.prior[1](0), 1.0, 1e-6) << margin;
    EXPECT_TRUE(checkPriorCertificate(fit.certificate).valid);
  }
}

}  // namespace
}  // namespace dynid
