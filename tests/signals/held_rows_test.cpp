#include "dynid/signals/held_rows.h"

#include "dynid/signals/local_motion.h"

#include <gtest/gtest.h>

#include "synthetic.h"
#include <algorithm>
#include <cmath>
#include <numbers>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

TEST(HeldRows, APolledSlowSourceIsSeenAndCounted) {
  MatrixXd Q = syntheticLog(3000).position;
  Index held = 0;
  for (Index k = 1; k < 3000; ++k)
    if (k % 7 == 3 || k % 11 == 5) {
      Q.row(k) = Q.row(k - 1);
      ++held;
    }
  HoldStatistics statistics;
  const std::vector<bool> found = heldRows(Q, incrementResolution(Q), usualHold(Q), &statistics);
  EXPECT_NEAR(static_cast<double>(statistics.held), static_cast<double>(held), 0.02 * held);
  for (Index k = 1; k < 3000; ++k)
    if (found[k]) {
      EXPECT_TRUE(k % 7 == 3 || k % 11 == 5) << k;
    }
}

// A source of 100 Hz in a log of 1 kHz.
TEST(HeldRows, ASourceThatIsPolledTenTimesAsFastIsSeen) {
  const MatrixXd source = syntheticLog(600, 0.01).position;
  MatrixXd Q(6000, source.cols());
  for (Index k = 0; k < 6000; ++k) Q.row(k) = source.row(k / 10);
  EXPECT_EQ(usualHold(Q), 10);
  HoldStatistics statistics;
  const std::vector<bool> found = heldRows(Q, incrementResolution(Q), 10, &statistics);
  EXPECT_GT(static_cast<double>(statistics.held), 0.85 * static_cast<double>(statistics.moving));
  for (Index k = 0; k < 6000; ++k)
    if (k % 10 == 0) {
      EXPECT_FALSE(found[k]) << k;
    }
}

TEST(HeldRows, TheUsualHoldIsThatOfMostRuns) {
  MatrixXd Q(12, 1);
  Q << 0, 1, 2, 2, 3, 4, 5, 5, 5, 5, 6, 7;
  EXPECT_EQ(usualHold(Q), 1);
  EXPECT_EQ(usualHold(MatrixXd(0, 1)), 1);
  EXPECT_EQ(longestHold(1), 8);
  EXPECT_EQ(longestHold(10), 25);
}

TEST(HeldRows, EncoderStepsAndRestsAreNoHolds) {
  // 5 kHz and a coarse encoder: most rows are equal measurements, not held.
  const MatrixXd fast = syntheticLog(20000, 0.0002).position;
  const MatrixXd coarse = (fast / 1e-3).array().round() * 1e-3;
  HoldStatistics steps;
  heldRows(coarse, incrementResolution(coarse), usualHold(coarse), &steps);
  EXPECT_EQ(steps.held, 0);

  // Stop and go on a 100 Hz log: exactly equal rows at standstill.
  MatrixXd rests = syntheticLog(3000, 0.01).position;
  for (Index start = 200; start + 60 < 3000; start += 300)
    for (Index k = start; k < start + 60; ++k) rests.row(k) = rests.row(start);
  HoldStatistics stops;
  heldRows(rests, incrementResolution(rests), usualHold(rests), &stops);
  EXPECT_EQ(stops.held, 0);
}

// Ten rows per second: a rest between two moves is as short as a run of held rows, and the moves
// before and behind it are fast.
TEST(HeldRows, ShortRestsOfASlowLogAreNoHolds) {
  constexpr Index kRows = 600;
  for (const Index rest : {2, 4, 7}) {
    MatrixXd Q(kRows, 2);
    double at = 0.0;
    for (Index k = 0, since = 0; k < kRows; ++k, since = (since + 1) % (12 + rest)) {
      const double share = static_cast<double>(std::min<Index>(since, 12)) / 12.0;
      const double place = 0.5 * (1.0 - std::cos(std::numbers::pi * share));
      Q.row(k) << at + place, 0.7 * (at + place);
      if (since == 12 + rest - 1) at += 1.0;
    }
    HoldStatistics statistics;
    heldRows(Q, Eigen::Vector2d(1e-4, 1e-4), usualHold(Q), &statistics);
    EXPECT_EQ(statistics.held, 0) << rest;
  }
}

}  // namespace
}  // namespace dynid
