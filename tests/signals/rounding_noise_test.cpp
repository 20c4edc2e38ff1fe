#include "dynid/signals/rounding_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace dynid {
namespace {

constexpr double kEncoderStep = 7.67e-4;

Eigen::VectorXd swing(double noise = 0.0) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  return Eigen::VectorXd::NullaryExpr(4000, [&](Eigen::Index i) {
    const double t = 0.002 * static_cast<double>(i);
    return 0.4 * std::sin(2.1 * t) + 0.1 * std::cos(5.3 * t) + noise * normal(generator);
  });
}

Eigen::VectorXd rounded(const Eigen::VectorXd& q, double step) {
  return (q.array() / step).round() * step;
}

double stepOf(const Eigen::VectorXd& q) {
  RawSignals log;
  log.position = q;
  return std::sqrt(12.0) * roundingNoise({&log, 1})(0);
}

TEST(RoundingNoise, IsThatOfTheRounding) {
  for (const double step : {1e-5, 1e-4, kEncoderStep, 0.01}) {
    EXPECT_NEAR(stepOf(rounded(swing(), step)), step, 0.005 * step);
    EXPECT_NEAR(stepOf(rounded(swing(2.0 * step), step)), step, 0.005 * step);
    EXPECT_NEAR(stepOf(rounded(swing(), step).array() + 0.1234), step, 0.005 * step);
  }
}

TEST(RoundingNoise, SurvivesSinglePrecisionAndMissingRows) {
  Eigen::VectorXd q = rounded(swing(), kEncoderStep).cast<float>().cast<double>();
  q(77) = q(1234) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NEAR(stepOf(q), kEncoderStep, 0.01 * kEncoderStep);
}

TEST(RoundingNoise, IsZeroWithoutRounding) {
  EXPECT_EQ(stepOf(swing()), 0.0);
  EXPECT_EQ(stepOf(swing(1e-3)), 0.0);
  EXPECT_EQ(stepOf(Eigen::VectorXd::Constant(100, 0.3)), 0.0);
  EXPECT_EQ(roundingNoise({}).size(), 0);
}

TEST(RoundingNoise, IsZeroWhereTheJointRests) {
  Eigen::VectorXd q = rounded(swing(), kEncoderStep);
  q.tail(3000).setConstant(q(1000));
  EXPECT_NEAR(stepOf(q), 0.5 * kEncoderStep, 0.02 * kEncoderStep);
}

TEST(RoundingNoise, IsThatOfEachJoint) {
  RawSignals log;
  log.position.resize(4000, 3);
  log.position << rounded(swing(), 1e-4), swing(), rounded(swing(), 3e-3);
  const Eigen::VectorXd steps = std::sqrt(12.0) * roundingNoise({&log, 1});
  EXPECT_NEAR(steps(0), 1e-4, 1e-7);
  EXPECT_EQ(steps(1), 0.0);
  EXPECT_NEAR(steps(2), 3e-3, 1e-6);
}

}  // namespace
}  // namespace dynid
