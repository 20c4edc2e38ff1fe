#include "dynid/consistency/newton_step.h"

#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include <algorithm>

namespace dynid {
namespace {

constexpr int kBodies = 12, kManyBodies = 20, kScalars = 5;
const Eigen::Vector3d kRho(0.1, 1.0, 3.0);

ConicProblem randomProblem(Eigen::Index rows, int bodies = kBodies) {
  ConicProblem problem;
  problem.bodies = bodies;
  problem.scalars = kScalars;
  problem.A = RowMajorMatrix::Random(rows, problem.size());
  problem.A.middleCols(10, 10) *= 1e-3;  // a light body
  problem.C = Eigen::MatrixXd::Random(3, problem.size());
  problem.C.row(0) = coneIdentity(bodies, kScalars).transpose();
  problem.d = Eigen::VectorXd::Ones(3);
  return problem;
}

// Bodies with eigenvalues from `smallest` to 1, in random directions.
Eigen::VectorXd pointInCone(double smallest, int bodies = kBodies) {
  Eigen::VectorXd x(10 * bodies + kScalars);
  for (int k = 0; k < bodies; ++k) {
    const Eigen::Matrix4d Q =
        Eigen::HouseholderQR<Eigen::Matrix4d>(Eigen::Matrix4d::Random()).householderQ();
    const Eigen::Vector4d values(smallest, std::sqrt(smallest), 0.5, 1.0);
    x.segment<10>(10 * k) = svec(Q * values.asDiagonal() * Q.transpose());
  }
  x.tail(kScalars).setConstant(0.3);
  return x;
}

StepEquations randomEquations(const ConicProblem& problem, const ConeScaling& scaling) {
  StepEquations equations;
  equations.r = Eigen::VectorXd::Random(problem.A.rows());
  equations.c = Eigen::Vector3d::Random();
  equations.y0 = scaling.point();
  return equations;
}

// Householder reflections of all rows of the least-squares problem that StepEquations states.
Eigen::VectorXd byReflections(const ConicProblem& problem,
                              const ConeScaling& scaling,
                              const StepEquations& equations) {
  const Eigen::Index n = problem.size(), m = problem.A.rows();
  Eigen::MatrixXd inverse(n, n);
  for (Eigen::Index c = 0; c < n; ++c)
    inverse.col(c) = scaling.fromScaled(Eigen::VectorXd::Unit(n, c));
  Eigen::MatrixXd rows(m + 3 + n, n);
  rows << problem.A * inverse, kRho.asDiagonal() * problem.C * inverse,
      Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd right(rows.rows());
  right << -equations.r, -equations.c, equations.y0;
  return rows.householderQr().solve(right);
}

// The step at a point of the cone with eigenvalues down to `smallest` is that of the least-squares
// problem, with fewer and with more rows of A than columns.
void expectTheStepOfLeastSquares(double smallest, double mu) {
  for (const Eigen::Index rows : {60, 400}) {
    std::srand(5);
    const ConicProblem problem = randomProblem(rows);
    const ConeScaling scaling(kBodies, kScalars, pointInCone(smallest), mu);
    const StepEquations equations = randomEquations(problem, scaling);
    NewtonStep newton(problem);
    newton.setPoint(scaling, kRho);
    const auto step = newton.solve(equations);
    ASSERT_TRUE(step.has_value());
    const Eigen::VectorXd expected = byReflections(problem, scaling, equations);
    EXPECT_LT((*step - expected).norm(), 1e-5 * (expected - equations.y0).norm())
        << rows << " rows, eigenvalues down to " << smallest;
  }
}

TEST(NewtonStep, IsTheLeastSquaresStepInsideTheCone) { expectTheStepOfLeastSquares(0.1, 1e-2); }

TEST(NewtonStep, IsTheLeastSquaresStepNearTheBoundary) {
  expectTheStepOfLeastSquares(1e-6, 1e-6);
  expectTheStepOfLeastSquares(1e-9, 1e-9);
}

// Also where the steps of one point share a factor, and those of the next point must not.
TEST(NewtonStep, DoesNotDependOnThreadsOrOnStepsBefore) {
  std::srand(5);
  const ConicProblem problem = randomProblem(300, kManyBodies);
  NewtonStep one(problem, 1), three(problem, 3);
  for (const double mu : {0.1, 1e-13, 1e-14}) {  // the last two by reflections
    const ConeScaling scaling(kManyBodies, kScalars, pointInCone(1e-3, kManyBodies), mu);
    one.setPoint(scaling, kRho);
    three.setPoint(scaling, kRho);
    for (int k = 0; k < 3; ++k) {
      const StepEquations equations = randomEquations(problem, scaling);
      NewtonStep alone(problem);
      alone.setPoint(scaling, kRho);
      const auto step = one.solve(equations);
      ASSERT_TRUE(step.has_value());
      EXPECT_EQ(*step, *alone.solve(equations)) << mu;
      EXPECT_EQ(*step, *three.solve(equations)) << mu;
    }
  }
  EXPECT_EQ(one.fallbacks(), 2);
}

}  // namespace
}  // namespace dynid
