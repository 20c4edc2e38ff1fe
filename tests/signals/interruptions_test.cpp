#include "dynid/signals/interruptions.h"

#include "dynid/signals/condition.h"
#include "dynid/signals/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/speed_dip.h"
#include "synthetic.h"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// The synthetic motion with a dip of the speed by 70 % at 12 s, and encoder noise.
PositionPiece dippedMotion(double dt, Index joints = 4, double share = 0.7) {
  std::mt19937 generator(3);
  std::normal_distribution<double> noise(0.0, 1e-5);
  PositionPiece piece{100.0, MatrixXd(static_cast<Index>(30.0 / dt), joints)};
  for (Index k = 0; k < piece.q.rows(); ++k) {
    const double t = dt * static_cast<double>(k);
    for (Index j = 0; j < joints; ++j)
      piece.q(k, j) =
          SyntheticMotion::q(t - latenessByDip(t, 12.0, 0.06, share), j) + noise(generator);
  }
  return piece;
}

TEST(Interruptions, ADipOfTheSpeedIsFoundAtEveryRate) {
  for (const double dt : {0.0005, 0.001, 0.002, 0.01, 0.02}) {
    const PositionPiece piece = dippedMotion(dt);
    const std::vector<Interruption> found = findInterruptions({&piece, 1}, dt);
    ASSERT_EQ(found.size(), 1U) << dt;
    EXPECT_LT(found.front().begin, 112.015) << dt;
    EXPECT_GT(found.front().end, 112.045) << dt;
    EXPECT_GT(found.front().begin, 111.8) << dt;
    EXPECT_LT(found.front().end, 112.3) << dt;
    if (dt <= 0.01) {
      EXPECT_NEAR(std::abs(found.front().slip), 0.65, 0.15) << dt;
    }
  }
}

TEST(Interruptions, AnEncoderThatStopsIsNone) {
  for (const double stop : {10.0, 11.3, 14.5, 20.2})
    for (const Index joint : {0, 2}) {
      PositionPiece piece = dippedMotion(0.004, 4, 0.0);
      const auto first = static_cast<Index>(stop / 0.004);
      piece.q.col(joint).tail(piece.q.rows() - first).setConstant(piece.q(first, joint));
      EXPECT_TRUE(findInterruptions({&piece, 1}, 0.004).empty()) << stop << ", " << joint;
    }
}

TEST(Interruptions, SmoothMotionHasNone) {
  for (const double dt : {0.001, 0.01}) {
    const PositionPiece piece = dippedMotion(dt, 4, 0.0);
    EXPECT_TRUE(findInterruptions({&piece, 1}, dt).empty());
  }
}

TEST(Interruptions, StartsAndStopsAreNone) {
  // Point-to-point motion of all joints together: standstill, constant acceleration, constant
  // speed, and back.
  const double dt = 0.002;
  PositionPiece piece{0.0, MatrixXd(15000, 4)};
  double travelled = 0.0;
  for (Index k = 0; k < piece.q.rows(); ++k) {
    const double t = std::fmod(dt * static_cast<double>(k), 5.0);
    const double direction = std::fmod(dt * static_cast<double>(k), 10.0) < 5.0 ? 1.0 : -1.0;
    const double speed = t < 1.0 || t > 4.5 ? 0.0 : std::min({t - 1.0, 0.5, 4.5 - t}) / 0.5;
    travelled += dt * direction * speed;
    for (Index j = 0; j < 4; ++j) piece.q(k, j) = travelled * (1.0 - 0.5 * static_cast<double>(j));
  }
  EXPECT_TRUE(findInterruptions({&piece, 1}, dt).empty());
}

// Brakes that stop all joints together within 0.15 s, at several times of the motion.
TEST(Interruptions, AnEmergencyStopIsNone) {
  const double dt = 0.004, braking = 0.15;
  for (const double stop : {10.0, 12.0, 14.5, 20.0}) {
    PositionPiece piece = dippedMotion(dt, 4, 0.0);
    const auto first = static_cast<Index>(stop / dt);
    const Eigen::RowVectorXd speed = (piece.q.row(first) - piece.q.row(first - 5)) / (5.0 * dt);
    for (Index k = first + 1; k < piece.q.rows(); ++k) {
      const double t = std::min(dt * static_cast<double>(k - first), braking);
      piece.q.row(k) = piece.q.row(first) + (t - t * t / (2.0 * braking)) * speed;
    }
    EXPECT_TRUE(findInterruptions({&piece, 1}, dt).empty()) << stop;
  }
}

// Between rests, nine moves of 1.2 s and then a short one, to which a cubic fits well although it
// has a rest on both sides.
TEST(Interruptions, AShortMoveBetweenRestsIsNone) {
  for (const double dt : {0.002, 0.004, 0.01}) {
    for (const double shortest : {0.2, 0.3, 0.4}) {
      PositionPiece piece = dippedMotion(dt, 4, 0.0);
      for (Index k = 0; k < piece.q.rows(); ++k) {
        const double t = dt * static_cast<double>(k), move = std::floor(t / 2.0);
        const double duration = std::fmod(move, 10.0) == 9.0 ? shortest : 1.2;
        const double phase = std::clamp((std::fmod(t, 2.0) - 0.4) / duration, 0.0, 1.0);
        const double part = std::pow(phase, 3) * (10.0 - 15.0 * phase + 6.0 * phase * phase);
        const double way = std::fmod(move, 2.0) == 0.0 ? part : 1.0 - part;
        for (Index j = 0; j < 4; ++j)
          piece.q(k, j) = 1e-4 * piece.q(k, j) + way / static_cast<double>(j + 1);
      }
      EXPECT_TRUE(findInterruptions({&piece, 1}, dt).empty()) << dt << " " << shortest;
    }
  }
}

// All joints turn back 0.15 s after the dip: between them they have 0.3 to 0.45 of the expected
// speed.
TEST(Interruptions, ADipBeforeAReversalIsFound) {
  for (const double dt : {0.002, 0.01}) {
    constexpr double kFrequency = 0.8, kReversal = 15.0 / kFrequency;  // Hz, s
    PositionPiece piece = dippedMotion(dt, 4, 0.0);
    for (Index k = 0; k < piece.q.rows(); ++k) {
      const double t = dt * static_cast<double>(k);
      const double on_path = t - latenessByDip(t, kReversal - 0.15, 0.06, 0.7);
      const double way = std::cos(2.0 * std::numbers::pi * kFrequency * on_path);
      for (Index j = 0; j < 4; ++j)
        piece.q(k, j) = 0.01 * piece.q(k, j) + way / static_cast<double>(j + 1);
    }
    const std::vector<Interruption> found = findInterruptions({&piece, 1}, dt);
    ASSERT_EQ(found.size(), 1U) << dt;
    EXPECT_NEAR(found.front().begin, 100.0 + kReversal - 0.15, 0.1) << dt;
  }
}

TEST(Interruptions, OneJointAloneIsNone) {
  PositionPiece piece = dippedMotion(0.002, 4, 0.0);
  piece.q.col(1) = dippedMotion(0.002).q.col(1);
  EXPECT_TRUE(findInterruptions({&piece, 1}, 0.002).empty());
  EXPECT_TRUE(findInterruptions({}, 0.002).empty());
}

// The cubic around a single instant passes through an event longer than the gap between its sides:
// the motion beside it looks faster than the cubic by more than the event looks slower.
TEST(Interruptions, ALongDipIsASlowDown) {
  constexpr double kStep = 0.002;
  for (const double duration : {0.1, 0.15, 0.2})
    for (const double at : {5.0, 18.0, 20.0}) {
      PositionPiece piece = dippedMotion(kStep, 4, 0.0);
      for (Index k = 0; k < piece.q.rows(); ++k) {
        const double t = kStep * static_cast<double>(k);
        const double u = std::clamp((t - at) / duration, 0.0, 1.0);
        const double turn = 2.0 * std::numbers::pi;  // the speed is 1 - 0.9 sin^2(pi u) of before
        const double late = 0.45 * duration * (u - std::sin(turn * u) / turn);
        for (Index j = 0; j < 4; ++j)
          piece.q(k, j) += SyntheticMotion::q(t - late, j) - SyntheticMotion::q(t, j);
      }
      const std::vector<Interruption> found = findInterruptions({&piece, 1}, kStep);
      ASSERT_EQ(found.size(), 1U) << duration << " " << at;
      EXPECT_NEAR(found.front().slip, 0.9, 0.05) << duration << " " << at;
      EXPECT_FALSE(found.front().repeated) << duration << " " << at;
    }
}

TEST(Interruptions, OfTwoJointsADipIsFoundAndAJerkOfOneIsNone) {
  constexpr double kStep = 0.002;
  const PositionPiece dipped = dippedMotion(kStep, 2);
  const std::vector<Interruption> found = findInterruptions({&dipped, 1}, kStep);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_GT(found.front().slip, 0.5);

  PositionPiece jerk = dippedMotion(kStep, 2, 0.0);
  for (Index k = 0; k < jerk.q.rows(); ++k) {
    const double t = kStep * static_cast<double>(k);
    jerk.q(k, 0) += 0.02 / (1.0 + std::exp(-(t - 12.0) / 0.01));
  }
  EXPECT_TRUE(findInterruptions({&jerk, 1}, kStep).empty());
}

TEST(Interruptions, RowsThatTheLoggerRepeatedAreNoDip) {
  for (const double dt : {0.001, 0.002, 0.01}) {
    PositionPiece piece = dippedMotion(dt, 4, 0.0);
    const Index first = std::lround(12.0 / dt), end = std::lround(12.05 / dt);
    for (Index k = first + 1; k < end; ++k) piece.q.row(k) = piece.q.row(first);
    const std::vector<Interruption> found = findInterruptions({&piece, 1}, dt);
    ASSERT_EQ(found.size(), 1U) << dt;
    EXPECT_TRUE(found.front().repeated) << dt;
    EXPECT_THAT(describe(found.front(), 0.0), testing::HasSubstr("do not change and then jump"));
  }
}

TEST(Interruptions, TheyAreBridgedByTheMotionAroundThem) {
  const double dt = 0.002;
  PositionPiece dipped = dippedMotion(dt);
  const PositionPiece smooth = dippedMotion(dt, 4, 0.0);
  bridgeInterruptions(findInterruptions({&dipped, 1}, dt), dt, dipped);
  EXPECT_LT((dipped.q - smooth.q).cwiseAbs().maxCoeff(), 1e-4);  // the dip: 8e-3
  const Index before = static_cast<Index>(11.5 / dt);
  EXPECT_LT((dipped.q.topRows(before) - smooth.q.topRows(before)).cwiseAbs().maxCoeff(), 1e-15);
}

TEST(Interruptions, APlanNamesThemAndLeavesThemOut) {
  RawSignals log = syntheticLog(6000);
  const SignalPlan clean = planSignals({&log, 1}, {});
  EXPECT_TRUE(clean.interruptions.empty());
  std::mt19937 generator(4);
  std::normal_distribution<double> noise(0.0, 1e-5);
  for (Index k = 0; k < log.rows(); ++k)
    for (Index j = 0; j < log.joints(); ++j)
      log.position(k, j) =
          SyntheticMotion::q(log.time(k) - latenessByDip(log.time(k), 12.0, 0.06, 0.7), j) +
          noise(generator);
  const SignalPlan plan = planSignals({&log, 1}, {});
  ASSERT_EQ(plan.interruptions.size(), 1U);
  EXPECT_NEAR(plan.cutoff_hz, clean.cutoff_hz, 0.2 * clean.cutoff_hz);
  EXPECT_THAT(plan.repaired,
              testing::Contains(testing::AllOf(
                  testing::HasSubstr("s all joints slow down together by up to "),
                  testing::HasSubstr("left out of the fit and of the choice of the cut-off"))));
  const ConditionedSignals signals = condition(log, plan);
  for (const Index k : coreSamples(signals, plan))
    EXPECT_GT(std::abs(signals.time(k) - 12.03), 1.0 / plan.cutoff_hz);
}

}  // namespace
}  // namespace dynid
