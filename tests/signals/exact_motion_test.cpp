#include "dynid/signals/exact_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace dynid {
namespace {

constexpr double kExactRate = 200.0;

// Two joints of a multi-sine up to 1 Hz, 20 s.
Eigen::MatrixXd smoothMotion() {
  Eigen::MatrixXd Q(4000, 2);
  for (Eigen::Index k = 0; k < Q.rows(); ++k) {
    const double t = static_cast<double>(k) / kExactRate;
    Q(k, 0) = std::sin(1.3 * t) + 0.2 * std::cos(6.0 * t);
    Q(k, 1) = 0.8 * std::sin(2.1 * t + 0.4);
  }
  return Q;
}

MotionQuality judge(const Eigen::MatrixXd& Q) {
  const std::vector<Eigen::MatrixXd> pieces{Q};
  return judgeMotion(pieces, 1.0 / kExactRate, 0.02);
}

TEST(JudgeMotion, ComputedMotionIsExact) {
  const MotionQuality quality = judge(smoothMotion());
  EXPECT_TRUE(quality.exact());
  EXPECT_LT(quality.acceleration_error, 1e-8);
  Eigen::MatrixXd one_stands = smoothMotion();
  one_stands.col(1).setConstant(0.3);
  EXPECT_TRUE(judge(one_stands).exact());
}

TEST(JudgeMotion, AnEncoderIsNot) {
  for (const int bits : {13, 19, 24}) {
    const double step = 2.0 * std::acos(-1.0) / std::pow(2.0, bits);
    EXPECT_FALSE(judge((smoothMotion().array() / step).round() * step).exact()) << bits << " bits";
  }
  EXPECT_FALSE(judge(smoothMotion().cast<float>().cast<double>()).exact()) << "single precision";
}

TEST(JudgeMotion, StepsSoRareThatMostSamplesLookSmoothAreNoticed) {
  // A coarse encoder and fast sampling: between two encoder steps all differences are zero.
  Eigen::MatrixXd Q(20000, 1);
  for (Eigen::Index k = 0; k < Q.rows(); ++k)
    Q(k, 0) = 0.05 * std::round(std::sin(2e-3 * static_cast<double>(k)) / 0.05);
  const MotionQuality quality = judge(Q);
  EXPECT_LT(quality.acceleration_error, 10.0);
  EXPECT_FALSE(quality.exact());
}

TEST(JudgeMotion, NoiseOfOneJointThatStandsIsEnough) {
  Eigen::MatrixXd Q = smoothMotion();
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal;
  for (Eigen::Index k = 0; k < Q.rows(); ++k) Q(k, 1) = 1e-6 * normal(rng);
  EXPECT_FALSE(judge(Q).exact());
}

TEST(JudgeMotion, StatesTheErrorOfTheAccelerationThatNoiseMakes) {
  Eigen::MatrixXd Q = smoothMotion().leftCols(1);
  const double rms = std::sqrt(0.5 * (std::pow(1.3, 4) + std::pow(0.2 * 36.0, 2)));
  std::mt19937_64 rng(2);
  std::normal_distribution<double> normal;
  for (Eigen::Index k = 0; k < Q.rows(); ++k) Q(k, 0) += 1e-7 * normal(rng);
  // 3.46 s / dt^2, and 1.96 of it at the 95th percentile.
  const double expected = 1.96 * 3.46 * 1e-7 * kExactRate * kExactRate / rms;
  EXPECT_NEAR(judge(Q).acceleration_error / expected, 1.0, 0.1);
}

TEST(JudgeMotion, MotionTooFastForItsRateIsNotExact) {
  Eigen::MatrixXd Q(4000, 1);
  for (Eigen::Index k = 0; k < Q.rows(); ++k)
    Q(k, 0) = std::sin(2.0 * std::acos(-1.0) * 20.0 * static_cast<double>(k) / kExactRate);
  EXPECT_FALSE(judge(Q).exact());
}

TEST(JudgeMotion, NothingThatMovesIsNothingToJudge) {
  EXPECT_FALSE(judge(Eigen::MatrixXd::Constant(100, 2, 1.0)).exact());
  EXPECT_FALSE(judge(Eigen::MatrixXd(3, 2)).exact());
  EXPECT_FALSE(judgeMotion({}, 0.01, 0.02).exact());
}

}  // namespace
}  // namespace dynid
