#include "dynid/signals/motion_period.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace dynid {
namespace {

constexpr double kStep = 0.02;

// Two joints, `harmonics` of one fundamental, with noise of this standard deviation.
Eigen::MatrixXd periodicMotion(double period, double duration, int harmonics, double noise) {
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal;
  Eigen::MatrixXd amplitude(2, harmonics), phase(2, harmonics);
  for (double& value : amplitude.reshaped()) value = normal(rng);
  for (double& value : phase.reshaped()) value = 3.0 * normal(rng);
  const auto rows = static_cast<Eigen::Index>(duration / kStep);
  Eigen::MatrixXd position = Eigen::MatrixXd::Zero(rows, 2);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < 2; ++j) {
      for (int h = 0; h < harmonics; ++h)
        position(i, j) +=
            amplitude(j, h) *
            std::sin(2.0 * std::numbers::pi * (h + 1) / period * static_cast<double>(i) * kStep +
                     phase(j, h)) /
            (h + 1);
      position(i, j) += noise * normal(rng);
    }
  return position;
}

TEST(MotionPeriod, IsTheFundamentalOfARepeatedMotion) {
  for (const double period : {2.0, 5.0, 7.3}) {
    const auto found = motionPeriod(periodicMotion(period, 4.0 * period, 5, 0.0), kStep);
    ASSERT_TRUE(found.has_value()) << period;
    EXPECT_NEAR(*found, period, kStep) << period;
  }
}

TEST(MotionPeriod, SurvivesRepetitionsThatDifferALittle) {
  const auto found = motionPeriod(periodicMotion(5.0, 15.0, 5, 1e-3), kStep);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(*found, 5.0, 2.0 * kStep);
}

TEST(MotionPeriod, IsNotSeenInLessThanOneAndAHalfRepetitions) {
  EXPECT_FALSE(motionPeriod(periodicMotion(10.0, 14.0, 5, 0.0), kStep).has_value());
  EXPECT_TRUE(motionPeriod(periodicMotion(10.0, 16.0, 5, 0.0), kStep).has_value());
}

TEST(MotionPeriod, HasNoneWithoutRepetition) {
  // Two joints whose periods have no common multiple within the motion.
  Eigen::MatrixXd position(2000, 2);
  for (Eigen::Index i = 0; i < position.rows(); ++i) {
    const double t = static_cast<double>(i) * kStep;
    position(i, 0) = std::sin(t);
    position(i, 1) = std::sin(0.05 * t * t / 2.0);
  }
  EXPECT_FALSE(motionPeriod(position, kStep).has_value());
}

TEST(MotionPeriod, LeavesOutJointsThatStandStill) {
  Eigen::MatrixXd position = periodicMotion(5.0, 20.0, 3, 0.0);
  position.conservativeResize(Eigen::NoChange, 3);
  position.col(2).setConstant(0.4);
  const auto found = motionPeriod(position, kStep);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(*found, 5.0, kStep);
  EXPECT_FALSE(motionPeriod(Eigen::MatrixXd::Constant(500, 2, 0.3), kStep).has_value());
}

}  // namespace
}  // namespace dynid
