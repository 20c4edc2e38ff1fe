#include "dynid/signals/held_rows.h"

#include "dynid/signals/local_motion.h"

#include <gtest/gtest.h>

#include "synthetic.h"
#include <cmath>

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

}  // namespace
}  // namespace dynid
