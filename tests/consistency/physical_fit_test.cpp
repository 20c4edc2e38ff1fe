#include "dynid/consistency/physical_fit.h"

#include "dynid/consistency/bounds.h"
#include "dynid/consistency/prior.h"
#include "dynid/spatial/pseudo_inertia.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "consistency/oracle_problem.h"
#include "consistency/random_problems.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace dynid {
namespace {

using random_problems::families;
using random_problems::randomProblem;
using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

PhysicalFitOptions plain() {
  PhysicalFitOptions options;
  options.margin = 0.0;
  options.second_stage = false;
  return options;
}

/// One body of 3 kg, observed through a well-conditioned random R.
struct OneBody {
  InertialParameters truth = inertialFromCenterOfMass(
      3.0, {0.1, -0.05, 0.2}, Eigen::Vector3d(0.03, 0.04, 0.05).asDiagonal());
  PhysicalFitProblem problem;
  OneBody() {
    std::srand(11);
    problem.bodies = 1;
    problem.R = Eigen::MatrixXd::Random(40, 10);
    problem.z = problem.R * truth;
    problem.prior = {capsulePrior({0, 0, 0}, {0, 0, 0.4})};
  }
};

/// The relative gap of a certificate from the inequality of weak duality as stated in
/// certificate.h, with eigenvalues of every block. It is independent of the code with which the
/// solver measures the gap.
double gapFromWeakDuality(const Certificate& c) {
  constexpr double kRoot2 = 1.4142135623730951;
  Eigen::VectorXd w = -c.A.transpose() * c.u;
  if (c.C.rows() > 0) w += c.C.transpose() * c.nu;
  Eigen::VectorXd trace = Eigen::VectorXd::Ones(w.size());
  double smallest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < c.bodies; ++k) {
    Eigen::Matrix4d block;
    int at = 10 * k;
    for (int column = 0; column < 4; ++column)
      for (int row = column; row < 4; ++row, ++at) {
        trace(at) = row == column ? 1.0 : 0.0;
        block(row, column) = block(column, row) = row == column ? w(at) : w(at) / kRoot2;
      }
    smallest = std::min(
        smallest, Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(block).eigenvalues().minCoeff());
  }
  for (Eigen::Index j = 10 * c.bodies; j < w.size(); ++j) smallest = std::min(smallest, w(j));
  const double delta = std::max(0.0, -smallest);
  const Eigen::VectorXd residual = c.b - c.A * c.x;
  double gap = 0.5 * (residual - c.u).squaredNorm() + c.x.dot(w + delta * trace) +
               delta * (c.T - trace.dot(c.x));
  if (c.C.rows() > 0) gap += c.nu.dot(c.d - c.C * c.x);
  return gap / std::max(0.5 * residual.squaredNorm() + c.c0, 1e-6 * 0.5 * c.z_squared);
}

TEST(PhysicalFit, OracleOptimum) {
  if (std::string(DYNID_ORACLE_DIR).empty()) GTEST_SKIP() << "DYNID_ORACLE_DIR is not set";
  const auto problem = oracle::ur10eProblem(DYNID_ORACLE_DIR, false);
  const PhysicalFitResult fit = solvePhysicalFit(problem, plain());
  EXPECT_TRUE(fit.converged) << fit.reason;
  EXPECT_NEAR(std::sqrt(2.0 * fit.objective_optimal), oracle::kOptimum, 1e-7 * oracle::kOptimum);
  EXPECT_NEAR((problem.R * fit.x - problem.z).norm(), oracle::kOptimum, 1e-7 * oracle::kOptimum);
  EXPECT_LT(fit.relative_duality_gap, 1e-8);
  EXPECT_GE(fit.min_eigenvalue, -1e-12);
}

TEST(PhysicalFit, OracleVariantWithLowerMassLimits) {
  if (std::string(DYNID_ORACLE_DIR).empty()) GTEST_SKIP() << "DYNID_ORACLE_DIR is not set";
  const PhysicalFitResult fit =
      solvePhysicalFit(oracle::ur10eProblem(DYNID_ORACLE_DIR, true), plain());
  EXPECT_TRUE(fit.converged) << fit.reason;
  EXPECT_NEAR(std::sqrt(2.0 * fit.objective_optimal),
              oracle::kVariantOptimum,
              1e-7 * oracle::kVariantOptimum);
  EXPECT_LT(fit.relative_duality_gap, 1e-8);
}

TEST(PhysicalFit, EveryFamilyConvergesToTheCertifiedGap) {
  for (const auto& family : families())
    for (std::size_t size = 0; size < 3; ++size)
      for (std::uint32_t seed = 500; seed < 503; ++seed) {
        const PhysicalFitResult fit = solvePhysicalFit(randomProblem(family, size, seed));
        ASSERT_TRUE(fit.converged)
            << family.name << " size " << size << " seed " << seed << ": " << fit.reason;
        ASSERT_LE(fit.relative_duality_gap, 1e-8);
        const double gap = gapFromWeakDuality(fit.certificate);
        // The fit adds an allowance for rounding errors of eigenvalues, so it never states a
        // smaller gap; the allowance is at most a tenth of the tolerance of 1e-8.
        ASSERT_GE(fit.relative_duality_gap, gap - 1e-12);
        ASSERT_LE(fit.relative_duality_gap, gap + 1e-9);
        ASSERT_GT(fit.min_eigenvalue, 0.0);
      }
}

// The certified gap must be a bound: a fit continued to a gap ten thousand times smaller may not be
// lower than the first gap allows.
TEST(PhysicalFit, TheGapBoundsTheDistanceFromTheOptimum) {
  for (const auto& family : families()) {
    const PhysicalFitProblem problem = randomProblem(family, 1, 510);
    PhysicalFitOptions options;
    options.second_stage = false;
    options.gap_tolerance = 1e-4;
    const PhysicalFitResult first = solvePhysicalFit(problem, options);
    options.gap_tolerance = 1e-8;
    const PhysicalFitResult further = solvePhysicalFit(problem, options);
    ASSERT_TRUE(first.converged && further.converged) << family.name;
    const double reference =
        std::max(first.objective_optimal, 1e-6 * 0.5 * first.certificate.z_squared);
    EXPECT_LE(first.objective_optimal - further.objective_optimal,
              first.relative_duality_gap * reference)
        << family.name;
    EXPECT_LT(first.relative_duality_gap, 1e-4) << family.name;
  }
}

TEST(PhysicalFit, ManyBodies) {
  const PhysicalFitResult fit = solvePhysicalFit(randomProblem(families()[1], 3, 500));
  EXPECT_TRUE(fit.converged) << fit.reason;
}

/// Two robots that have no parameter in common, as one problem.
PhysicalFitProblem sideBySide(const PhysicalFitProblem& a, const PhysicalFitProblem& b) {
  PhysicalFitProblem both;
  both.bodies = a.bodies + b.bodies;
  both.nonnegative = a.nonnegative + b.nonnegative;
  both.free = a.free + b.free;
  both.R = Eigen::MatrixXd::Zero(a.R.rows() + b.R.rows(), a.R.cols() + b.R.cols());
  Eigen::Index from_a = 0, from_b = 0, to = 0;
  for (const auto& [of_a, of_b] : {std::pair(10 * a.bodies, 10 * b.bodies),
                                   std::pair(a.nonnegative, b.nonnegative),
                                   std::pair(a.free, b.free)}) {
    both.R.block(0, to, a.R.rows(), of_a) = a.R.middleCols(from_a, of_a);
    both.R.block(a.R.rows(), to + of_a, b.R.rows(), of_b) = b.R.middleCols(from_b, of_b);
    from_a += of_a;
    from_b += of_b;
    to += of_a + of_b;
  }
  both.z.resize(both.R.rows());
  both.z << a.z, b.z;
  both.prior = a.prior;
  both.prior.insert(both.prior.end(), b.prior.begin(), b.prior.end());
  both.rows = a.rows + b.rows;
  return both;
}

/// The same problem with rows mixed by an orthogonal matrix: nothing falls apart any more.
PhysicalFitProblem withMixedRows(PhysicalFitProblem problem) {
  const Eigen::Index rows = problem.R.rows();
  const Eigen::MatrixXd Q = Eigen::MatrixXd::Random(rows, rows).householderQr().householderQ();
  problem.R = (Q * problem.R).eval();
  problem.z = (Q * problem.z).eval();
  return problem;
}

// tau 2: the bound on the overall size, which both robots share, is as narrow as it may be.
TEST(PhysicalFit, RobotsWithoutCommonParametersHaveTheOptimumOfTheWhole) {
  std::srand(5);
  for (const auto& family : families())
    for (const double tau : {PhysicalFitOptions{}.tau, 2.0}) {
      const PhysicalFitProblem a = randomProblem(family, 1, 520), b = randomProblem(family, 0, 521);
      const PhysicalFitProblem both = sideBySide(a, b);
      PhysicalFitOptions options = plain();
      options.tau = tau;
      const PhysicalFitResult apart = solvePhysicalFit(both, options);
      const PhysicalFitResult mixed = solvePhysicalFit(withMixedRows(both), options);
      ASSERT_TRUE(apart.converged) << family.name << ": " << apart.reason;
      ASSERT_TRUE(mixed.converged) << family.name << ": " << mixed.reason;
      EXPECT_LE(gapFromWeakDuality(apart.certificate), 1e-8) << family.name;
      EXPECT_EQ(apart.rank, mixed.rank) << family.name;
      const double size = std::max(mixed.objective_optimal, 1e-6 * 0.5 * both.z.squaredNorm());
      EXPECT_NEAR(apart.objective_optimal, mixed.objective_optimal, 3e-8 * size) << family.name;
      EXPECT_EQ(apart.fallback_steps > 0, mixed.fallback_steps > 0) << family.name;
    }
}

TEST(PhysicalFit, InsideTheConeItIsLeastSquares) {
  OneBody one;
  one.problem.z += 1e-3 * Eigen::VectorXd::Random(40);
  const Eigen::VectorXd free = one.problem.R.colPivHouseholderQr().solve(one.problem.z);
  ASSERT_GT(smallestPseudoEigenvalue(free), 0.0);
  const PhysicalFitResult fit = solvePhysicalFit(one.problem, plain());
  EXPECT_TRUE(fit.converged) << fit.reason;
  // f is flat at the optimum: a relative gap g corresponds to sqrt(g) in x.
  EXPECT_LT((fit.x - free).norm(), 1e-4 * free.norm());
  EXPECT_NEAR(fit.objective_optimal,
              0.5 * (one.problem.R * free - one.problem.z).squaredNorm(),
              1e-7 * fit.objective_optimal);
}

TEST(PhysicalFit, NonnegativeScalarsAloneAreTheirClosedForm) {
  PhysicalFitProblem problem;
  problem.nonnegative = 3;
  problem.free = 1;
  problem.R = Eigen::MatrixXd::Identity(4, 4);
  problem.z = Eigen::Vector4d(2.0, -1.0, 0.5, -3.0);
  problem.residual_squared = 4.0;
  const PhysicalFitResult fit = solvePhysicalFit(problem, plain());
  ASSERT_TRUE(fit.converged) << fit.reason;
  EXPECT_LT((fit.x - Eigen::Vector4d(2.0, 0.0, 0.5, -3.0)).norm(), 1e-3);
  EXPECT_NEAR(fit.objective_optimal, 0.5 * (1.0 + 4.0), 1e-7);
}

TEST(PhysicalFit, MarginShiftsTheConeAndItsCostIsBounded) {
  const PhysicalFitProblem problem = randomProblem(families()[2], 1, 600);
  const PhysicalFitResult bare = solvePhysicalFit(problem, plain());
  PhysicalFitOptions options = plain();
  options.margin = 1e-3;
  const PhysicalFitResult shifted = solvePhysicalFit(problem, options);
  ASSERT_TRUE(bare.converged && shifted.converged);
  for (int k = 0; k < problem.bodies; ++k) {
    const Eigen::Matrix4d P = pseudoInertia(shifted.x.segment<10>(10 * k));
    const Eigen::Matrix4d P0 = pseudoInertia(problem.prior[k]);
    const Eigen::Matrix4d rest = P - 0.999e-3 * shifted.prior_scale * P0;
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(rest).eigenvalues()(0), 0.0);
  }
  const double cost = shifted.objective_optimal - bare.objective_optimal;
  const double tolerance = 2e-8 * bare.objective_optimal;
  EXPECT_GT(cost, -tolerance);
  EXPECT_LE(cost, shifted.margin_cost + tolerance);
  EXPECT_LT(shifted.margin_cost, 3.0 * cost + tolerance);
}

TEST(PhysicalFit, SecondStageLiftsTheSmallestEigenvalueWithinItsAllowance) {
  for (const std::size_t family : {1U, 2U, 5U}) {
    const PhysicalFitProblem problem = randomProblem(families()[family], 1, 601);
    PhysicalFitOptions options = plain();
    const PhysicalFitResult first = solvePhysicalFit(problem, options);
    options.second_stage = true;
    const PhysicalFitResult both = solvePhysicalFit(problem, options);
    const double allowance = both.objective_optimal / (problem.rows - both.rank);
    EXPECT_LE(both.second_stage_cost, allowance * (1.0 + 1e-9));
    EXPECT_GT(both.second_stage_cost, 0.1 * allowance);
    EXPECT_GT(both.min_eigenvalue, 10.0 * first.min_eigenvalue) << families()[family].name;
    EXPECT_LT((both.x_first_stage - first.x).norm(), 1e-12 * first.x.norm());
  }
}

TEST(PhysicalFit, WithoutDataThePriorStands) {
  PhysicalFitProblem problem;
  problem.bodies = 2;
  problem.nonnegative = 1;
  problem.R = Eigen::MatrixXd::Zero(5, 21);
  problem.z = Eigen::VectorXd::Zero(5);
  problem.prior = {capsulePrior({0, 0, 0}, {0, 0, 0.4}), capsulePrior({0, 0, 0}, {0.2, 0, 0})};
  const PhysicalFitResult fit = solvePhysicalFit(problem);
  ASSERT_TRUE(fit.converged) << fit.reason;
  EXPECT_EQ(fit.rank, 0);
  EXPECT_EQ(fit.objective, 0.0);
  for (int k = 0; k < 2; ++k) {
    const InertialParameters& prior = problem.prior[k];
    EXPECT_LT((fit.x.segment<10>(10 * k) - prior).norm(), 0.3 * prior.norm());
  }
}

TEST(PhysicalFit, ABodyWithoutDataKeepsItsPrior) {
  OneBody one;
  PhysicalFitProblem problem = one.problem;
  problem.bodies = 2;
  problem.R = Eigen::MatrixXd::Zero(40, 20);
  problem.R.leftCols(10) = one.problem.R;
  problem.z += 0.01 * Eigen::VectorXd::Random(40);
  problem.prior.push_back(capsulePrior({0, 0, 0}, {0.2, 0, 0}));
  const PhysicalFitResult fit = solvePhysicalFit(problem);
  ASSERT_TRUE(fit.converged) << fit.reason;
  EXPECT_NEAR(fit.x(0), 3.0, 0.1);
  EXPECT_NEAR(fit.x(10) / (fit.prior_scale * problem.prior[1](0)), 1.0, 0.3);
}

TEST(PhysicalFit, ExactDataZeroTorqueAndFarPriors) {
  OneBody one;
  PhysicalFitResult fit = solvePhysicalFit(one.problem);
  ASSERT_TRUE(fit.converged) << fit.reason;
  EXPECT_LT((fit.x - one.truth).norm(), 1e-5 * one.truth.norm());

  PhysicalFitProblem far = one.problem;
  far.prior[0] *= 1e-3;  // outside the range to which sigma is limited
  PhysicalFitOptions wide;
  wide.tau = 1e4;
  fit = solvePhysicalFit(far, wide);
  EXPECT_TRUE(fit.feasible) << fit.reason;
  EXPECT_LT((fit.x - one.truth).norm(), 1e-2 * one.truth.norm());
  fit = solvePhysicalFit(far);
  EXPECT_THAT(fit.reason, HasSubstr("overall size"));

  one.problem.z.setZero();
  fit = solvePhysicalFit(one.problem);
  EXPECT_TRUE(fit.converged) << fit.reason;
  EXPECT_LT(fit.x(0), 0.1 * one.problem.prior[0](0));
}

TEST(PhysicalFit, RepeatedAndEmptyFreeColumnsDoNotHideData) {
  OneBody one;
  PhysicalFitProblem problem = one.problem;
  problem.z += 1e-2 * Eigen::VectorXd::Random(40);
  problem.free = 3;
  problem.R.conservativeResize(40, 13);
  problem.R.col(10).setZero();
  problem.R.col(11).setOnes();
  problem.R.col(12).setOnes();
  const PhysicalFitResult fit = solvePhysicalFit(problem, plain());
  ASSERT_TRUE(fit.converged) << fit.reason;
  EXPECT_EQ(fit.rank, 11);
  EXPECT_NEAR(0.5 * (problem.R * fit.x - problem.z).squaredNorm(),
              fit.objective_optimal,
              1e-9 * fit.objective_optimal);
}

TEST(PhysicalFit, ActiveMassBoundHasTheSlopeOfTheOptimumAsMultiplier) {
  OneBody one;
  one.problem.z += 0.02 * Eigen::VectorXd::Random(40);
  const auto bounded = [&](double limit) {
    PhysicalFitProblem problem = one.problem;
    for (const BodyBound& bound : massBounds("arm", 0.5, limit)) addBodyBound(problem, 0, bound);
    return solvePhysicalFit(problem, plain());
  };
  const PhysicalFitResult fit = bounded(2.5);
  ASSERT_TRUE(fit.converged) << fit.reason;
  EXPECT_NEAR(fit.x(0), 2.5, 1e-5);
  ASSERT_EQ(fit.bounds.size(), 3U);
  EXPECT_FALSE(fit.bounds[0].active);
  EXPECT_TRUE(fit.bounds[1].active);
  EXPECT_EQ(fit.bounds[1].name, "arm mass upper");
  EXPECT_EQ(fit.bounds[1].limit, 2.5);
  const double slope = (bounded(2.51).objective_optimal - bounded(2.49).objective_optimal) / 0.02;
  EXPECT_NEAR(fit.bounds[1].multiplier, -slope, 1e-3 * std::abs(slope));
}

TEST(PhysicalFit, AFixedMassIsMet) {
  OneBody one;
  for (const BodyBound& bound : massBounds("arm", 2.5, 2.5)) addBodyBound(one.problem, 0, bound);
  const PhysicalFitResult fit = solvePhysicalFit(one.problem);
  ASSERT_TRUE(fit.feasible) << fit.reason;
  EXPECT_NEAR(fit.x(0), 2.5, 1e-5);
}

// A known payload: bounds on both sides of all ten parameters of the last body. Their multipliers
// have to balance A^T u to the last digit, or the gap stays above the tolerance where the efforts
// are explained well.
TEST(PhysicalFit, TheGapIsClosedBesideABodyThatIsKnown) {
  for (std::uint32_t seed = 15; seed <= 22; ++seed) {
    PhysicalFitProblem problem = randomProblem({.name = "quiet", .noise = 0.002}, 1, seed);
    const int last = problem.bodies - 1;
    const InertialParameters known = 1.002 * solvePhysicalFit(problem).x.segment<10>(10 * last);
    problem.prior[last] = known;
    problem.payloads = 1;
    for (int c = 0; c < 10; ++c)
      for (const double sign : {1.0, -1.0}) {
        const double range = 1e-3 * std::max(std::abs(known(c)), 0.003 * known(0));
        addBodyBound(
            problem, last, {"known", sign * InertialParameters::Unit(c), sign * known(c) + range});
      }
    const PhysicalFitResult fit = solvePhysicalFit(problem);
    EXPECT_TRUE(fit.converged) << seed << ": " << fit.reason;
  }
}

TEST(PhysicalFit, ContradictoryBoundsAreNamed) {
  OneBody one;
  for (const BodyBound& bound : massBounds("arm", 4.0, 3.0)) addBodyBound(one.problem, 0, bound);
  addBodyBound(one.problem, 0, inertiaTraceBound("arm", 40.0));
  const PhysicalFitResult fit = solvePhysicalFit(one.problem);
  EXPECT_FALSE(fit.feasible);
  EXPECT_FALSE(fit.converged);
  EXPECT_EQ(fit.x.size(), 0);
  EXPECT_THAT(fit.reason, HasSubstr("\"arm mass lower\", \"arm mass upper\""));
  EXPECT_THAT(fit.reason, testing::Not(HasSubstr("inertia trace")));
}

TEST(PhysicalFit, BoundsThatOnlyPhysicsContradictsAreFound) {
  OneBody one;  // all mass in a small ellipsoid, but a centre of mass outside it
  addBodyBound(one.problem, 0, ellipsoidBound("arm", Eigen::Vector3d::Zero(), {0.1, 0.1, 0.1}));
  for (const BodyBound& bound : comBoxBounds("arm", {0.2, -1, -1}, {1, 1, 1}))
    addBodyBound(one.problem, 0, bound);
  for (const BodyBound& bound : massBounds("arm", 1.0, kInfinity))
    addBodyBound(one.problem, 0, bound);
  const PhysicalFitResult fit = solvePhysicalFit(one.problem);
  EXPECT_FALSE(fit.feasible);
  EXPECT_THAT(fit.reason, HasSubstr("\"arm ellipsoid\""));
  EXPECT_THAT(fit.reason, HasSubstr("\"arm com x lower\""));
  EXPECT_THAT(fit.reason, HasSubstr("that contain a share of 0.001 of their priors (`margin`)"));
}

TEST(PhysicalFit, BoundsFarFromThePriorWidenTheOverallSizeAndSaySo) {
  OneBody one;
  for (const BodyBound& bound : massBounds("arm", 2000.0, kInfinity))
    addBodyBound(one.problem, 0, bound);
  const PhysicalFitResult fit = solvePhysicalFit(one.problem);
  EXPECT_TRUE(fit.feasible) << fit.reason;
  EXPECT_THAT(fit.reason, HasSubstr("overall size widened"));
  ASSERT_GT(fit.x.size(), 0);
  EXPECT_GE(fit.x(0), 2000.0 * (1 - 1e-6));
}

// A pendulum of which nothing but the joint is known: its mass lies 0.5 m below the origin, the
// prior is a capsule of 0.1 m about it.
struct UnknownPendulum : OneBody {
  UnknownPendulum() {
    problem.z = problem.R * truth;
    problem.prior = {capsulePrior(Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero())};
  }
  const InertialParameters truth = inertialFromCenterOfMass(
      1.5, {0.0, 0.0, -0.5}, Eigen::Vector3d(0.01, 0.01, 0.002).asDiagonal());
};

TEST(PhysicalFit, APriorThatIsTooSmallDoesNotDecide) {
  UnknownPendulum one;
  for (const bool described : {false, true}) {
    one.problem.trust_prior_scale = described;
    const PhysicalFitResult fit = solvePhysicalFit(one.problem);
    ASSERT_TRUE(fit.converged) << fit.reason;
    EXPECT_LT((fit.x - one.truth).norm(), 1e-3 * one.truth.norm());
    EXPECT_THAT(fit.reason, HasSubstr("overall size widened"));
    EXPECT_GT(fit.tau, PhysicalFitOptions{}.tau);
  }
}

// Hypotheses about a log are compared for links that resemble their description.
TEST(PhysicalFit, ThePriorDecidesWhereItsSizeMayNotBeWidened) {
  UnknownPendulum one;
  PhysicalFitOptions options;
  options.widen_tau = false;
  const PhysicalFitResult fit = solvePhysicalFit(one.problem, options);
  ASSERT_TRUE(fit.converged) << fit.reason;
  EXPECT_GT((fit.x - one.truth).norm(), 0.1 * one.truth.norm());
  EXPECT_EQ(fit.tau, options.tau);
}

TEST(PhysicalFit, CeresIsSilent) {
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  for (const auto& family : families()) solvePhysicalFit(randomProblem(family, 0, 700));
  PhysicalFitOptions impossible = plain();
  impossible.gap_tolerance = 1e-15;
  for (const auto& family : families()) solvePhysicalFit(randomProblem(family, 0, 701), impossible);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(PhysicalFit, AnUnclosedGapIsSaid) {
  PhysicalFitOptions options = plain();
  options.max_iterations = 8;
  const PhysicalFitResult fit = solvePhysicalFit(randomProblem(families()[1], 1, 702), options);
  EXPECT_FALSE(fit.converged);
  EXPECT_GT(fit.relative_duality_gap, 1e-8);
  EXPECT_THAT(fit.reason, HasSubstr("not closed to 1e-08 in 8 steps"));
}

std::string complaint(const PhysicalFitProblem& problem, const PhysicalFitOptions& options = {}) {
  try {
    solvePhysicalFit(problem, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(PhysicalFit, MistakesOfTheCallerAreNamed) {
  const OneBody one;
  PhysicalFitProblem problem = one.problem;
  problem.prior[0](0) = -1.0;
  EXPECT_THAT(complaint(problem), HasSubstr("prior of body 0"));
  problem = one.problem;
  problem.bodies = 2;
  EXPECT_EQ(complaint(problem), "the physical fit got R with 10 columns; expected 20");
  problem = one.problem;
  problem.z(3) = std::nan("");
  EXPECT_THAT(complaint(problem), HasSubstr("not finite"));
  problem = one.problem;
  problem.prior.clear();
  EXPECT_THAT(complaint(problem), HasSubstr("0 priors; expected one per body"));
  PhysicalFitOptions options;
  options.margin = 1.0;
  EXPECT_EQ(complaint(one.problem, options), "`margin` is 1; expected at least 0, below 1");
}

}  // namespace
}  // namespace dynid
