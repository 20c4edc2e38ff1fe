#include "dynid/signals/timing_errors.h"

#include "dynid/signals/cutoff.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double kPollRate = 195.0, kSourceRate = 224.0;  // [Hz]

/// Joints that move independently of each other, up to 0.8 Hz.
double polledPosition(Index joint, double t) {
  double q = 0.0;
  for (int k = 1; k <= 4; ++k)
    q += 0.4 / k *
         std::sin(2.0 * std::numbers::pi * 0.2 * k * t + 1.3 * k * static_cast<double>(joint + 1));
  return q;
}

/// A logger polls a source that writes at another rate: rows are late by up to one of its periods.
MatrixXd polledRows(bool exact, double noise = 1e-5) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  MatrixXd q(4000, 5);
  for (Index k = 0; k < q.rows(); ++k) {
    const double t = static_cast<double>(k) / kPollRate;
    const double written = exact ? t : std::floor(t * kSourceRate) / kSourceRate;
    for (Index j = 0; j < q.cols(); ++j)
      q(k, j) = polledPosition(j, written) + noise * normal(generator);
  }
  return q;
}

/// rms of the second differences
double roughnessOf(const MatrixXd& q) {
  const Index n = q.rows() - 2;
  const MatrixXd second = q.topRows(n) - 2.0 * q.middleRows(1, n) + q.bottomRows(n);
  return std::sqrt(second.squaredNorm() / static_cast<double>(second.size()));
}

TEST(TimingErrors, ThoseOfALoggerThatPollsAreRemoved) {
  const MatrixXd rows = polledRows(false);
  EXPECT_LT(roughnessOf(withoutTimingErrors(rows, kPollRate)), 0.1 * roughnessOf(rows));
}

TEST(TimingErrors, SmoothMotionAndRestRemain) {
  const MatrixXd rows = polledRows(true, 0.0);
  const MatrixXd middle = (withoutTimingErrors(rows, kPollRate) - rows).middleRows(40, 3900);
  EXPECT_LT(middle.cwiseAbs().maxCoeff(), 0.01);
  const MatrixXd rest = MatrixXd::Constant(100, 3, 0.7);
  EXPECT_EQ(withoutTimingErrors(rest, kPollRate), rest);
  EXPECT_EQ(withoutTimingErrors(MatrixXd(0, 3), kPollRate).rows(), 0);
}

// The errors lie at the difference of the two rates, 29 Hz, and were taken for motion (30 Hz).
TEST(TimingErrors, AreNoMotionThatACutoffKeeps) {
  const MatrixXd rows = polledRows(false, 4e-4), exact = polledRows(true, 4e-4);
  EXPECT_LT(chooseCutoff({&rows, 1}, kPollRate, kPollRate).cutoff_hz, 8.0);
  EXPECT_LT(chooseCutoff({&exact, 1}, kPollRate, kPollRate).cutoff_hz, 4.0);
}

// Joints that move along one line have no errors but those of the times.
TEST(TimingErrors, AShortMotionAlongOneLineRemainsAMotion) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal(0.0, 2e-3);
  for (const Index rows : {20, 40, 80, 160}) {
    const MatrixXd q = MatrixXd::NullaryExpr(rows, 4, [&](Index k, Index j) {
      return static_cast<double>(j + 1) * std::sin(0.03 * static_cast<double>(k)) +
             normal(generator);
    });
    const CutoffChoice choice = chooseCutoff({&q, 1}, 100.0, 100.0);
    EXPECT_GT(choice.cutoff_hz, 0.0) << rows;
    EXPECT_LE(choice.cutoff_hz, 20.0) << rows;
  }
}

}  // namespace
}  // namespace dynid
