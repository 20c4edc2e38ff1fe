#include "dynid/excitation/motion_limits.h"

#include "dynid/excitation/fourier_basis.h"
#include "dynid/excitation/leads.h"
#include "dynid/excitation/nonlinear_program.h"
#include "dynid/math/random_stream.h"
#include "dynid/robot/robot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>

namespace dynid {
namespace {

using testing::HasSubstr;

Robot arm() {
  RandomRobotOptions options;
  options.joints = 3;
  options.mimic = 0.0;
  options.prismatic = 0.0;
  return randomRobot(5, options);
}

Eigen::MatrixXd wild(const MotionLimits& limits, int harmonics, double period, std::uint64_t seed) {
  RandomStream random(seed, 0);
  Eigen::MatrixXd X = coefficientScale(limits, harmonics, period);
  for (Eigen::Index j = 0; j < X.cols(); ++j)
    for (Eigen::Index i = 0; i < X.rows(); ++i)
      X(i, j) *= i == 0 ? random.uniform(-0.7, 0.7) : 3.0 * random.normal();
  X.row(0) += limits.middle().transpose();
  return X;
}

TEST(MotionLimits, ShrunkMotionHoldsThemBetweenTheSamples) {
  const MotionLimits limits = motionLimits(arm(), {});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Eigen::MatrixXd X = wild(limits, 4, 6.0, seed);
    EXPECT_LT(shrinkIntoLimits(limits, 6.0, X), 1.0);
    // 37 000 points: 9250 per shortest sine, not commensurable with the grid of the check.
    const FourierBasis basis = fourierBasis(4, 6.0, periodGrid(6.0, 37003));
    const Eigen::MatrixXd q = basis.q * X;
    const MotionPeaks peaks = seriesPeaks(X, 6.0);
    for (Eigen::Index j = 0; j < 3; ++j) {
      EXPECT_LE(q.col(j).maxCoeff(), limits.upper(j));
      EXPECT_GE(q.col(j).minCoeff(), limits.lower(j));
      EXPECT_LE((basis.dq * X).col(j).cwiseAbs().maxCoeff(), limits.velocity(j));
      EXPECT_LE((basis.ddq * X).col(j).cwiseAbs().maxCoeff(), limits.acceleration(j));
      // The bound holds and is within a thousandth of the true maximum.
      const double truth = (basis.ddq * X).col(j).cwiseAbs().maxCoeff();
      EXPECT_GE(peaks.acceleration(j), truth * (1.0 - 1e-12));
      EXPECT_LE(peaks.acceleration(j), truth * 1.001);
    }
  }
}

TEST(MotionLimits, RowsOfTheProgramAreSharesOfTheLimits) {
  LimitOptions options;
  options.jerk = {40.0};
  const MotionLimits limits = motionLimits(arm(), options);
  const Eigen::MatrixXd scale = coefficientScale(limits, 2, 3.0), X = wild(limits, 2, 3.0, 1);
  NonlinearProgram program;
  addLimits(limits, scale, 3.0, 40, program);
  Eigen::MatrixXd x = X;
  x.row(0) -= limits.middle().transpose();
  x = x.cwiseQuotient(scale);
  const Eigen::VectorXd g = program.A * Eigen::Map<Eigen::VectorXd>(x.data(), x.size());
  ASSERT_EQ(g.size(), 3 * 4 * 40);
  const FourierBasis basis = fourierBasis(2, 3.0, periodGrid(3.0, 40));
  EXPECT_NEAR(g(7), ((basis.q * X)(7, 0) - limits.middle()(0)) / limits.half()(0), 1e-12);
  EXPECT_NEAR(g(160 + 40 + 3), (basis.dq * X)(3, 1) / limits.velocity(1), 1e-12);
  EXPECT_NEAR(g(320 + 120 + 9), (basis.dddq * X)(9, 2) / 40.0, 1e-12);
}

TEST(MotionLimits, MissingOnesAreSaidAloud) {
  Robot robot = arm();
  robot.joints[1].limits = {};
  robot.joints[0].limits.acceleration = kInfinity;
  const MotionLimits limits = motionLimits(robot, {});
  EXPECT_DOUBLE_EQ(limits.velocity(1), 1.0);
  EXPECT_DOUBLE_EQ(limits.acceleration(0), robot.joints[0].limits.velocity / 0.25);
  ASSERT_EQ(limits.notes.size(), 3u);
  EXPECT_THAT(limits.notes[0], HasSubstr(robot.joints[1].name));
  EXPECT_THAT(limits.notes[0],
              HasSubstr("limits = { position = [lower, upper] } under [joint.NAME]"));
  EXPECT_THAT(limits.notes[2], HasSubstr("velocity limit / 0.25 s"));
}

TEST(MotionLimits, TheRangeBesideASingleLimitIsSaid) {
  Robot robot = arm();
  robot.joints[0].limits.lower = -0.4;
  robot.joints[0].limits.upper = kInfinity;
  robot.joints[2].limits.lower = -kInfinity;
  robot.joints[2].limits.upper = 1.0;
  const MotionLimits limits = motionLimits(robot, {});
  ASSERT_EQ(limits.notes.size(), 2u);
  EXPECT_THAT(limits.notes[0],
              HasSubstr("no lower position limit for " + robot.joints[2].name +
                        " (-3.142 to 1 rad): these ranges are used"));
  EXPECT_THAT(limits.notes[1],
              HasSubstr("no upper position limit for " + robot.joints[0].name +
                        " (-0.4 to 3.142 rad): these ranges are used"));
}

TEST(MotionLimits, VelocitiesAboveTheDescribedOnesAreSaid) {
  Robot robot = arm();
  for (Joint& joint : robot.joints) joint.limits.velocity = 2.0;
  robot.joints[1].limits.velocity = 1.5;
  LimitOptions options;
  options.velocity = {1.75};
  const MotionLimits limits = motionLimits(robot, options);
  EXPECT_DOUBLE_EQ(limits.velocity(1), 1.75);
  EXPECT_THAT(limits.notes,
              ::testing::Contains("`max_velocity` is above the limit of the description for " +
                                  robot.joints[1].name + " (1.5 rad/s)"));
  options.velocity = {1.5};
  EXPECT_THAT(motionLimits(robot, options).notes,
              ::testing::Not(testing::Contains(HasSubstr("above the limit"))));
}

TEST(MotionLimits, ContradictionsNameTheLimitAndTheRemedy) {
  Robot robot = arm();
  robot.joints[0].limits.lower = 1.0;
  robot.joints[0].limits.upper = 0.5;
  auto found = contradictions(robot, motionLimits(robot, {}), 5, 10.0);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0], HasSubstr(robot.joints[0].name + ": position limits 1 to 0.5"));
  EXPECT_THAT(found[0], HasSubstr("0.5 too little"));
  EXPECT_THAT(found[0], HasSubstr("widen"));

  robot = arm();
  found = contradictions(robot, motionLimits(robot, {}), 20, 0.1);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_THAT(found[0], HasSubstr("`duration_s` of at least"));
  EXPECT_TRUE(contradictions(robot, motionLimits(robot, {}), 5, 20.0).empty());
}

TEST(LimitOptions, NamesTheBadField) {
  LimitOptions options;
  options.acceleration = {1.0, 2.0};
  EXPECT_THROW(options.check(3), std::invalid_argument);
  options.acceleration = {-1.0};
  EXPECT_THROW(options.check(3), std::invalid_argument);
  options = {};
  options.velocity_share = 1.2;
  EXPECT_THROW(options.check(3), std::invalid_argument);
}

TEST(Leads, JoinTheMotionWithoutAJumpAndKeepTheLimits) {
  const Robot robot = arm();
  const MotionLimits limits = motionLimits(robot, {});
  Eigen::MatrixXd X = wild(limits, 3, 8.0, 3);
  shrinkIntoLimits(limits, 8.0, X);
  const Eigen::VectorXd start = limits.middle();
  for (bool fixed : {false, true}) {
    LeadOptions options;
    if (fixed) options.start = start;
    options.rate_hz = 33.3;
    options.periodic_s = 8.0;
    const auto leads = planLeads(robot, limits, X, 8.0, options);
    ASSERT_TRUE(leads.has_value());
    for (const double duration :
         {leads->in.duration_s, leads->in.duration_s + 8.0 + leads->out.duration_s})
      EXPECT_NEAR(std::remainder(33.3 * duration, 1.0), 0.0, 1e-10);
    const FourierBasis at = fourierBasis(3, 8.0, Eigen::VectorXd::Constant(1, leads->phase_s));
    const MotionSamples in = samplesOf(leads->in, 1001), out = samplesOf(leads->out, 1001);
    EXPECT_LT((in.q.row(1000) - at.q * X).norm(), 1e-9);
    EXPECT_LT((in.dq.row(1000) - at.dq * X).norm(), 1e-9);
    EXPECT_LT((in.ddq.row(1000) - at.ddq * X).norm(), 1e-8);
    EXPECT_LT((out.q.row(0) - at.q * X).norm(), 1e-9);
    EXPECT_LT((out.dq.row(0) - at.dq * X).norm(), 1e-9);
    EXPECT_LT((out.ddq.row(0) - at.ddq * X).norm(), 1e-8);
    for (const auto* still : {&in, &out}) {
      const Eigen::Index row = still == &in ? 0 : 1000;
      EXPECT_LT(still->dq.row(row).norm(), 1e-9);
      EXPECT_LT(still->ddq.row(row).norm(), 1e-8);
      if (fixed) {
        EXPECT_LT((still->q.row(row).transpose() - start).norm(), 1e-9);
      }
      for (Eigen::Index j = 0; j < 3; ++j) {
        EXPECT_LE(still->dq.col(j).cwiseAbs().maxCoeff(), limits.velocity(j));
        EXPECT_LE(still->ddq.col(j).cwiseAbs().maxCoeff(), limits.acceleration(j));
        EXPECT_LE(still->q.col(j).maxCoeff(), limits.upper(j));
        EXPECT_GE(still->q.col(j).minCoeff(), limits.lower(j));
      }
    }
  }
}

// Faster leads would hold frequencies that the motion does not have.
TEST(Leads, AreAsGentleAsTheHighestHarmonicWhereTheRangeAllows) {
  const Robot robot = arm();
  const MotionLimits limits = motionLimits(robot, {});
  Eigen::MatrixXd X = wild(limits, 3, 24.0, 3);
  shrinkIntoLimits(limits, 24.0, X);
  X *= 0.5;
  LeadOptions options;
  options.periodic_s = 24.0;
  const auto leads = planLeads(robot, limits, X, 24.0, options);
  ASSERT_TRUE(leads.has_value());
  for (const QuinticPiece& piece : {leads->in, leads->out}) {
    EXPECT_GE(piece.duration_s, 4.0 - 1e-9);
    EXPECT_LT(piece.duration_s, 8.0);
  }
}

// A joint may start at its limit. The positions of the leads are bounded without slack.
TEST(Leads, MayStartAtALimit) {
  const Robot robot = arm();
  const MotionLimits limits = motionLimits(robot, {});
  Eigen::MatrixXd X = wild(limits, 3, 8.0, 3);
  shrinkIntoLimits(limits, 8.0, X);
  for (const Eigen::Index j : {0, 1, 2})
    for (const bool upper : {false, true}) {
      LeadOptions options;
      options.start = limits.middle();
      (*options.start)(j) = upper ? limits.upper(j) : limits.lower(j);
      options.rate_hz = 50.0;
      options.periodic_s = 8.0;
      const auto leads = planLeads(robot, limits, X, 8.0, options);
      ASSERT_TRUE(leads.has_value()) << j << upper;
      for (const QuinticPiece& piece : {leads->in, leads->out}) {
        const MotionPeaks peaks = quinticPeaks(piece);
        const MotionSamples samples = samplesOf(piece, 10001);
        EXPECT_LT((peaks.lower - samples.q.colwise().minCoeff().transpose()).norm(), 1e-7);
        EXPECT_LT((peaks.upper - samples.q.colwise().maxCoeff().transpose()).norm(), 1e-7);
        EXPECT_GE((peaks.lower - limits.lower).minCoeff(), -1e-9);
        EXPECT_LE((peaks.upper - limits.upper).maxCoeff(), 1e-9);
      }
    }
}

TEST(Rest, WhereAPeriodBegins) {
  RandomStream random(1, 1);
  Eigen::MatrixXd X(9, 3);
  for (double& value : X.reshaped()) value = random.normal();
  const Eigen::MatrixXd before = X;
  bringToRest(X);
  const FourierBasis basis = fourierBasis(4, 6.0, Eigen::VectorXd::Zero(1));
  EXPECT_GT((basis.dq * before).norm(), 0.1);
  EXPECT_LT((basis.dq * X).norm() + (basis.ddq * X).norm(), 1e-12);
  Eigen::MatrixXd again = X;
  bringToRest(again);
  EXPECT_LT((again - X).norm(), 1e-14);
  // The nearest point: the difference is orthogonal to the result.
  EXPECT_NEAR((before - X).cwiseProduct(X).sum(), 0.0, 1e-12);
}

TEST(Rest, ProgramSeesTheMotionThatBeginsAtRest) {
  RandomRobotOptions options;
  options.joints = 3;
  const MotionLimits limits = motionLimits(randomRobot(1, options), {});
  const Eigen::MatrixXd scale = coefficientScale(limits, 4, 6.0);
  NonlinearProgram free, resting;
  addLimits(limits, scale, 6.0, 20, free);
  addLimits(limits, scale, 6.0, 20, resting);
  restrictToRest(scale, resting);
  RandomStream random(2, 1);
  Eigen::VectorXd x(scale.size());
  for (double& value : x) value = random.normal();
  Eigen::MatrixXd X = scale.cwiseProduct(x.reshaped(scale.rows(), scale.cols()));
  bringToRest(X);
  const Eigen::VectorXd projected = X.cwiseQuotient(scale).reshaped();
  EXPECT_LT((free.A * projected - resting.A * x).norm(), 1e-12 * (resting.A * x).norm());
}

}  // namespace
}  // namespace dynid
