#include "dynid/signals/clipped_positions.h"

#include <gtest/gtest.h>

#include "synthetic.h"
#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using Eigen::Index;

void clip(RawSignals& log, Index joint, double low, double high) {
  for (double& q : log.position.col(joint)) q = std::clamp(q, low, high);
}

/// Rest, and moves of `accelerating` seconds at constant acceleration, cruising at 1 rad/s, and
/// braking, between 0 and 0.8 rad; the other joints go on.
RawSignals withPauses(double dt, double accelerating) {
  RawSignals log = syntheticLog(static_cast<Index>(30.0 / dt), dt);
  const double cruise = 0.8 - accelerating, a = 1.0 / accelerating;
  const auto path = [&](double t) {
    if (t < 0.0) return 0.0;
    if (t < accelerating) return 0.5 * a * t * t;
    if (t < accelerating + cruise) return 0.5 * accelerating + t - accelerating;
    const double left = std::max(0.0, 2.0 * accelerating + cruise - t);
    return 0.8 - 0.5 * a * left * left;
  };
  for (Index k = 0; k < log.rows(); ++k) {
    const double t = std::fmod(log.time(k), 4.0);
    log.position(k, 0) = t < 2.0 ? path(t - 0.5) : 0.8 - path(t - 2.5);
  }
  log.velocity.resize(0, 0);
  return log;
}

TEST(ClippedPositions, AreFoundAtEveryRateAndSide) {
  for (const double dt : {0.04, 0.01, 0.001}) {
    RawSignals log = syntheticLog(static_cast<Index>(30.0 / dt), dt);
    clip(log, 1, -0.5, 2.0);
    const auto low = findClippedPositions({&log, 1}, 1, dt);
    ASSERT_TRUE(low.has_value()) << dt;
    EXPECT_EQ(low->value, -0.5);
    EXPECT_TRUE(low->velocity_goes_on);
    const Index there = (log.position.col(1).array() == -0.5).count();
    EXPECT_GT(low->rows, 0.8 * static_cast<double>(there));
    EXPECT_FALSE(findClippedPositions({&log, 1}, 0, dt).has_value());

    log = syntheticLog(static_cast<Index>(30.0 / dt), dt);
    clip(log, 1, -2.0, 0.4);
    log.velocity.resize(0, 0);
    const auto high = findClippedPositions({&log, 1}, 1, dt);
    ASSERT_TRUE(high.has_value()) << dt;
    EXPECT_EQ(high->value, 0.4);
    EXPECT_FALSE(high->velocity_goes_on);
  }
}

TEST(ClippedPositions, TurningPointsOfACoarseEncoderAreNone) {
  for (const double step : {0.001, 0.01, 0.05}) {
    RawSignals log = syntheticLog();
    for (double& q : log.position.reshaped()) q = step * std::round(q / step);
    for (Index j = 0; j < 3; ++j)
      EXPECT_FALSE(findClippedPositions({&log, 1}, j, 0.005).has_value()) << step;
  }
}

// The acceleration of 7 rad/s^2 lasts 14 rows at 100 Hz, three at 25 Hz.
TEST(ClippedPositions, AJointThatPausesAtItsExtremesHasNone) {
  for (const double dt : {0.04, 0.01, 0.001}) {
    const RawSignals log = withPauses(dt, 0.14);
    EXPECT_FALSE(findClippedPositions({&log, 1}, 0, dt).has_value()) << dt;
  }
}

// A velocity in steps of 0.01 rad/s without a zero, of a joint that leaves by one encoder step.
TEST(ClippedPositions, ARestWithHalfAStepOfVelocityIsNone) {
  RawSignals log = syntheticLog(6000);
  constexpr Index kRest = 5400;
  auto q = log.position.col(0);
  const double resting = q.maxCoeff() + 0.1;
  for (Index k = 0; k < log.rows(); ++k)
    q(k) = k < kRest ? resting
                     : resting - 1e-4 * std::floor(0.5 * static_cast<double>(k - kRest) + 1.0);
  log.velocity.resize(log.rows(), log.position.cols());
  log.velocity.setZero();
  log.velocity.col(0).tail(log.rows() - kRest).setConstant(-0.01);
  log.velocity.array() -= 5e-3;
  log.velocity(0, 0) = 5e-3;
  q.head(20).array() -= 0.02 * (20.0 - Eigen::ArrayXd::LinSpaced(20, 0.0, 19.0));
  EXPECT_FALSE(findClippedPositions({&log, 1}, 0, 0.005).has_value());
}

// Arrives at 1 rad/s, leaves from rest.
TEST(ClippedPositions, AMechanicalStopIsNone) {
  RawSignals log = withPauses(0.005, 0.4);
  clip(log, 0, -1.0, 0.6);
  for (Index k = 0; k + 80 < log.rows(); ++k)  // leaves as it would from 0.8 rad
    if (log.position(k, 0) == 0.6 && log.position(k + 1, 0) < 0.6)
      for (Index i = 0; i < 80; ++i)
        log.position(k + i, 0) = 0.6 - 0.5 * 2.5 * std::pow(0.005 * static_cast<double>(i), 2);
  EXPECT_FALSE(findClippedPositions({&log, 1}, 0, 0.005).has_value());
}

TEST(ClippedPositions, ARobotThatRestsAsAWholeHasNone) {
  RawSignals log = syntheticLog();
  for (Index j = 0; j < 3; ++j) log.position.col(j) = log.position.col(0);
  log.velocity.resize(0, 0);
  for (Index j = 0; j < 3; ++j) clip(log, j, -0.5, 0.5);
  EXPECT_FALSE(findClippedPositions({&log, 1}, 0, 0.005).has_value());
}

}  // namespace
}  // namespace dynid
