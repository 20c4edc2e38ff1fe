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
  const std::vector<bool> found = heldRows(Q, incrementResolution(Q), &statistics);
  EXPECT_NEAR(static_cast<double>(statistics.held), static_cast<double>(held), 0.02 * held);
  for (Index k = 1; k < 3000; ++k)
    if (found[k]) {
      EXPECT_TRUE(k % 7 == 3 || k % 11 == 5) << k;
    }
}

TEST(HeldRows, EncoderStepsAndRestsAreNoHolds) {
  // 5 kHz and a coarse encoder: most rows are equal measurements, not held.
  const MatrixXd fast = syntheticLog(20000, 0.0002).position;
  const MatrixXd coarse = (fast / 1e-3).array().round() * 1e-3;
  HoldStatistics steps;
  heldRows(coarse, incrementResolution(coarse), &steps);
  EXPECT_EQ(steps.held, 0);

  // Stop and go on a 100 Hz log: exactly equal rows at standstill.
  MatrixXd rests = syntheticLog(3000, 0.01).position;
  for (Index start = 200; start + 60 < 3000; start += 300)
    for (Index k = start; k < start + 60; ++k) rests.row(k) = rests.row(start);
  HoldStatistics stops;
  heldRows(rests, incrementResolution(rests), &stops);
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
    heldRows(Q, Eigen::Vector2d(1e-4, 1e-4), &statistics);
    EXPECT_EQ(statistics.held, 0) << rest;
  }
}

}  // namespace
}  // namespace dynid
