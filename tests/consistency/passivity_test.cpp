#include "dynid/consistency/passivity.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace dynid {
namespace {

constexpr double kHighest = 3.0;

// Coulomb, viscous (nonnegative) and quadratic (free) friction of one actuator. It is excited up to
// 1 rad/s, where the true friction decreases with speed; above 2.2 rad/s it would feed energy into
// the motion.
PhysicalFitProblem fallingFriction() {
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<double> speed(0.0, 1.0);
  std::normal_distribution<double> noise(0.0, 0.01);
  PhysicalFitProblem problem;
  problem.nonnegative = 2;
  problem.free = 1;
  problem.R.resize(200, 3);
  problem.z.resize(200);
  for (Eigen::Index i = 0; i < 200; ++i) {
    const double v = speed(rng);
    problem.R.row(i) << 1.0, v, v * v;
    problem.z(i) = 1.0 + 1.5 * v - 0.9 * v * v + noise(rng);
  }
  PassiveGroup group;
  group.name = "friction of joint1";
  group.columns = {0, 1, 2};
  group.speeds = Eigen::VectorXd::LinSpaced(60, kHighest / 60, kHighest);
  group.rows.resize(60, 3);
  group.rows << Eigen::VectorXd::Ones(60), group.speeds, group.speeds.cwiseAbs2();
  problem.passive = {group};
  return problem;
}

// The optimum with c + v h + q h^2 = 0 at the highest speed h, by elimination of q.
Eigen::Vector3d onTheBound(const PhysicalFitProblem& problem) {
  Eigen::Matrix<double, 3, 2> map;
  map << 1.0, 0.0, 0.0, 1.0, -1.0 / (kHighest * kHighest), -1.0 / kHighest;
  const Eigen::MatrixXd R = problem.R * map;
  return map * R.colPivHouseholderQr().solve(problem.z);
}

TEST(PassiveFriction, NeverPushesAndIsTheConstrainedOptimum) {
  const PhysicalFitProblem problem = fallingFriction();
  const Eigen::Vector3d expected = onTheBound(problem);
  ASSERT_GT(expected(0), 0.0);
  ASSERT_GT(expected(1), 0.0);
  PhysicalFitOptions options;
  options.second_stage = false;
  const PhysicalFitResult fit = solvePhysicalFit(problem, options);
  ASSERT_TRUE(fit.converged) << fit.reason;
  const Eigen::VectorXd efforts = problem.passive[0].rows * fit.x;
  EXPECT_GE(efforts.minCoeff(), -1e-9 * efforts.maxCoeff());
  EXPECT_LT((fit.x - expected).norm(), 1e-4 * expected.norm());
  const double objective = 0.5 * (problem.R * expected - problem.z).squaredNorm();
  EXPECT_NEAR(fit.objective_optimal, objective, 1e-7 * objective);
  EXPECT_TRUE(checkCertificate(fit.certificate).valid);
}

TEST(PassiveFriction, CostsNothingWhereItIsPassiveAnyway) {
  PhysicalFitProblem problem = fallingFriction();
  problem.z = problem.R * Eigen::Vector3d(1.0, 0.5, 0.2);
  PhysicalFitOptions options;
  options.second_stage = false;
  const PhysicalFitResult fit = solvePhysicalFit(problem, options);
  ASSERT_TRUE(fit.converged) << fit.reason;
  EXPECT_LT((fit.x - Eigen::Vector3d(1.0, 0.5, 0.2)).norm(), 1e-4);
  EXPECT_TRUE(fit.passivity.empty());
}

// The quadratic friction may be at least -0.2 times the viscous friction.
TEST(PassiveFriction, FurtherRowsHoldAndAreNamed) {
  PhysicalFitProblem problem = fallingFriction();
  PassiveGroup& group = problem.passive[0];
  group.rows.conservativeResize(group.rows.rows() + 1, Eigen::NoChange);
  group.rows.bottomRows<1>() << 0.0, 0.2, 1.0;
  group.further = {"curvature of joint1"};
  PhysicalFitOptions options;
  options.second_stage = false;
  const PhysicalFitResult fit = solvePhysicalFit(problem, options);
  ASSERT_TRUE(fit.converged) << fit.reason;
  EXPECT_NEAR(fit.x(2), -0.2 * fit.x(1), 1e-6);
  EXPECT_TRUE(std::any_of(fit.bounds.begin(), fit.bounds.end(), [](const BoundReport& bound) {
    return bound.name == "curvature of joint1" && bound.active;
  }));
  EXPECT_TRUE(checkCertificate(fit.certificate).valid);
  group.further.clear();
  EXPECT_THROW(solvePhysicalFit(problem, options), std::invalid_argument);
}

// Where no row is violated, the second stage goes on from the first, which is not solved again.
TEST(PassiveFriction, TheFirstStageIsSolvedOnce) {
  PhysicalFitProblem problem = fallingFriction();
  problem.z = problem.R * Eigen::Vector3d(1.0, 0.5, 0.2);
  problem.z(0) += 0.1;
  const PhysicalFitResult fit = solvePhysicalFit(problem);
  const PhysicalFitResult without_groups = solvePhysicalFit(passiveVariables(problem).problem);
  ASSERT_TRUE(fit.converged) << fit.reason;
  ASSERT_TRUE(fit.passivity.empty());
  EXPECT_EQ(fit.iterations, without_groups.iterations);
}

TEST(PassiveFriction, ChangeOfVariablesLosesNothing) {
  const PhysicalFitProblem problem = fallingFriction();
  const PassiveVariables variables = passiveVariables(problem);
  EXPECT_EQ(variables.problem.nonnegative, 3);
  EXPECT_EQ(variables.problem.free, 0);
  const Eigen::Vector3d x(0.4, 0.3, -0.1);
  const Eigen::VectorXd mapped = variables.map.fullPivLu().solve(x);
  EXPECT_LT((variables.problem.R * mapped - problem.R * x).norm(), 1e-12);
  // The new variable is the effort against the motion at one of the speeds.
  const Eigen::VectorXd efforts = problem.passive[0].rows * x;
  EXPECT_LT((efforts.array() - mapped(2)).abs().minCoeff(), 1e-12);
}

// A Stribeck curve of a joint that hardly moves is 1e-309 at all speeds; its inverse overflows.
TEST(PassiveFriction, AColumnWithoutEffectIsNotReplaced) {
  PhysicalFitProblem problem = fallingFriction();
  problem.passive[0].rows.col(2).setConstant(1e-309);
  const PassiveVariables variables = passiveVariables(problem);
  EXPECT_EQ(variables.problem.free, 1);
  EXPECT_TRUE(variables.problem.R.allFinite());
}

}  // namespace
}  // namespace dynid
