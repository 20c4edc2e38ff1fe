#include "dynid/diagnosis/turning_points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace dynid {
namespace {

/// Ten reversals of half a hertz.
RawSignals reversals(double amplitude) {
  RawSignals rows;
  rows.time = Eigen::VectorXd::LinSpaced(1001, 0.0, 10.0);
  rows.position = amplitude * (2.0 * std::numbers::pi * 0.5 * rows.time.array()).sin().matrix();
  return rows;
}

int turnsOf(const RawSignals& rows) { return turningPoints(std::vector<RawSignals>{rows}); }

TEST(TurningPoints, AreReversalsOfAnyJointThatMoves) {
  EXPECT_EQ(turnsOf(reversals(1.0)), 10);
  EXPECT_EQ(turnsOf(reversals(0.009)), 10);  // a gripper: less than 20 mm
  EXPECT_EQ(turnsOf(reversals(0.002)), 0);   // a joint that holds its position
}

TEST(TurningPoints, SmallReversalsOfALargeMotionDoNotCount) {
  RawSignals rows = reversals(1.0);
  rows.position += 0.009 * (2.0 * std::numbers::pi * 4.0 * rows.time.array()).sin().matrix();
  EXPECT_EQ(turnsOf(rows), 10);
}

TEST(TurningPoints, NoiseAndEncoderStepsDoNotCount) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal(0.0, 1e-3);
  RawSignals rows = reversals(0.0);
  for (double& position : rows.position.reshaped()) position = normal(generator);
  EXPECT_EQ(turnsOf(rows), 0);
  for (Eigen::Index r = 0; r < rows.position.rows(); ++r)
    rows.position(r, 0) = r % 100 == 7 ? 0.006 : 0.0;  // one step of a coarse encoder
  EXPECT_EQ(turnsOf(rows), 0);
}

TEST(TurningPoints, ALogWithoutRowsHasNone) { EXPECT_EQ(turningPoints({}), 0); }

}  // namespace
}  // namespace dynid
