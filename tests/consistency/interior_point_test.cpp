#include "dynid/consistency/interior_point.h"

#include <gtest/gtest.h>

#include <cmath>
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

}  // namespace
}  // namespace dynid
