#include "dynid/signals/local_motion.h"

#include <gtest/gtest.h>

#include "synthetic.h"
#include <cmath>
#include <random>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(LocalMotion, ParabolasHaveExactSlopesOnUnevenTimes) {
  VectorXd x(50);
  MatrixXd Q(50, 2), slopes(50, 2);
  for (Index k = 0; k < 50; ++k) {
    const auto i = static_cast<double>(k);
    x(k) = i + 0.3 * std::sin(i);
    Q.row(k) << 1.0 + 2.0 * x(k) - 0.1 * x(k) * x(k), -x(k);
    slopes.row(k) << 2.0 - 0.2 * x(k), -1.0;
  }
  EXPECT_LT((parabolaSlopes(x, Q, 6) - slopes).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(LocalMotion, SlopesOfEvenRowsAreThoseOfAnyRows) {
  // Equally spaced stretches separated by gaps, one shorter than the window, and another spacing at
  // the end.
  VectorXd x(120);
  for (Index k = 0; k < 120; ++k)
    x(k) = (k < 50 ? 1.0 : k < 58 ? 3.0 : 3.5) + static_cast<double>(k < 90 ? k : 2 * k - 90);
  MatrixXd Q(120, 2);
  for (Index k = 0; k < 120; ++k) Q.row(k) << std::sin(0.2 * x(k)), std::exp(0.01 * x(k));
  VectorXd uneven = x;  // more than rounding, but smaller than any other difference
  for (Index k = 0; k < 120; ++k) uneven(k) += 1e-8 * std::sin(1.0 * static_cast<double>(k));
  const MatrixXd slopes = parabolaSlopes(x, Q, 6);
  EXPECT_LT((slopes - parabolaSlopes(uneven, Q, 6)).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(LocalMotion, ElapsedTimeIsReadOffTheMotion) {
  // Rows one, two or three ticks apart: the motion shows how many.
  std::mt19937 generator(1);
  std::discrete_distribution<int> step({0, 80, 15, 5});
  const Index n = 2000;
  VectorXd x(n);
  MatrixXd Q(n, 3);
  double t = 0.0;
  for (Index k = 0; k < n; ++k, t += step(generator)) {
    x(k) = t;
    for (Index j = 0; j < 3; ++j) Q(k, j) = SyntheticMotion::q(0.001 * t, j);
  }
  const VectorXd noise = VectorXd::Constant(3, 1e-6);
  const VectorXd elapsed = elapsedByMotion(Q, parabolaSlopes(x, Q, 15), noise);
  for (Index k = 20; k + 20 < n; ++k)
    if (std::isfinite(elapsed(k))) {
      EXPECT_NEAR(elapsed(k), x(k + 1) - x(k), 0.02) << k;
    }
  EXPECT_GT(elapsed.array().isFinite().count(), n * 9 / 10);
}

TEST(LocalMotion, NoiseIsThatOfTheEncoderNotOfTheClock) {
  const MatrixXd Q = syntheticLog(6000).position;  // 1e-5 rad: increments sqrt(2) that, chords add
  const VectorXd noise = incrementNoise(Q, chordSlopes(Q, 8));
  for (Index j = 0; j < 3; ++j) {
    EXPECT_GT(noise(j), 1.0e-5);
    EXPECT_LT(noise(j), 1.0e-4);
  }
  EXPECT_GT(incrementNoise(MatrixXd::Zero(100, 1), MatrixXd::Zero(100, 1))(0), 0.0);
}

TEST(LocalMotion, RoughnessGrowsWithTheErrorOfTheClock) {
  const RawSignals log = syntheticLog(4000);
  const VectorXd noise = VectorXd::Constant(3, 1e-5);
  std::mt19937 generator(4);
  std::normal_distribution<double> normal;
  double before = motionRoughness(log.time, log.position, noise);
  for (const double jitter : {1e-4, 5e-4, 1e-3}) {
    VectorXd stamps = log.time;
    for (double& t : stamps) t += jitter * std::clamp(normal(generator), -2.0, 2.0);
    const double rough = motionRoughness(stamps, log.position, noise);
    EXPECT_GT(rough, before + std::log(1.5)) << jitter;
    before = rough;
  }
  EXPECT_TRUE(std::isnan(motionRoughness(log.time, MatrixXd::Zero(4000, 3), noise)));
}

TEST(LocalMotion, ResolutionIsAtLeastTheEncoderStep) {
  const MatrixXd fine = syntheticLog(6000).position;
  const MatrixXd coarse = (fine / 5e-4).array().round() * 5e-4;
  EXPECT_NEAR(incrementResolution(coarse)(0), 5e-4, 1e-9);
}

}  // namespace
}  // namespace dynid
