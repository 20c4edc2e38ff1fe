#include "dynid/consistency/interior_point.h"

#include "dynid/consistency/physical_fit.h"

#include <gtest/gtest.h>

#include "consistency/random_problems.h"
#include <cmath>
#include <cstdint>
#include <random>

namespace dynid {
namespace {

// More scalars than rows, a few of them large, and a trace bound just below their sum: its
// multiplier has to balance A^T u in the directions that no row of A contains.
TEST(InteriorPoint, ClosesTheGapWhereTheTraceBoundIsActive) {
  constexpr int kRows = 200, kScalars = 400, kLarge = 60;
  for (unsigned seed = 0; seed < 6; ++seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> normal;
    ConicProblem problem;
    problem.scalars = kScalars;
    problem.A = RowMajorMatrix::NullaryExpr(kRows, kScalars, [&] { return normal(engine); });
    Eigen::VectorXd x = Eigen::VectorXd::Zero(kScalars);
    for (double& value : x.head(kLarge)) value = 30.0 * std::abs(normal(engine));
    problem.b = problem.A * x;
    problem.A /= problem.b.norm();
    problem.b.normalize();
    problem.C = coneIdentity(0, kScalars).transpose();
    problem.d = Eigen::VectorXd::Constant(1, 0.99 * x.sum());
    const InteriorPointResult result = minimizeOnCone(problem, {});
    EXPECT_GT(result.trace_multiplier, 0.0) << seed;
    EXPECT_TRUE(result.converged) << seed << ": gap " << result.gap;
  }
}

// Thirty bodies with priors that are far too small, and little noise: rounding errors of the
// certificate's sums, times the bound on the overall size, are as large as the tolerance.
TEST(InteriorPoint, ClosesTheGapOfManyBodiesWhereTheOverallSizeIsActive) {
  for (std::uint32_t seed = 30; seed < 34; ++seed) {
    PhysicalFitProblem problem =
        random_problems::randomProblem({.name = "quiet", .noise = 0.002}, 3, seed);
    for (InertialParameters& prior : problem.prior)
      prior = inertialFromCenterOfMass(
          prior(0), prior.segment<3>(1) / prior(0), 2e-4 * prior(0) * Eigen::Matrix3d::Identity());
    PhysicalFitOptions options;
    options.widen_tau = false;
    options.tau = 30.0;
    const PhysicalFitResult fit = solvePhysicalFit(problem, options);
    EXPECT_TRUE(fit.bounds.back().active) << seed;
    EXPECT_TRUE(fit.converged) << seed << ": " << fit.reason;
  }
}

}  // namespace
}  // namespace dynid
