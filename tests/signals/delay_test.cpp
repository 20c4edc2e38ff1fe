#include "dynid/signals/delay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic.h"
#include <cmath>
#include <random>
#include <stdexcept>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

struct Channels {
  VectorXd reference, signal;
};

Channels delayed(double lag, double gain, double noise, double dt = 0.01) {
  std::mt19937 generator(2);
  std::normal_distribution<double> normal;
  const Index n = 3000;
  Channels channels{VectorXd(n), VectorXd(n)};
  for (Index k = 0; k < n; ++k) {
    const double t = dt * static_cast<double>(k);
    channels.reference(k) = SyntheticMotion::dq(t, 1);
    channels.signal(k) = gain * SyntheticMotion::dq(t - lag, 1) + noise * normal(generator);
  }
  return channels;
}

TEST(Delay, FindsLagsBetweenSamplesAndTheirSign) {
  for (const double lag : {0.0, 0.003, 0.005, 0.0123, 0.17, -0.021}) {
    const Channels c = delayed(lag, 1.0, 0.0);
    const DelayEstimate estimate = estimateDelay(c.reference, c.signal, 0.01, 0.5);
    EXPECT_NEAR(estimate.lag, lag, 1e-4) << lag;
    EXPECT_NEAR(estimate.correlation, 1.0, 1e-3);
    EXPECT_NEAR(estimate.gain, 1.0, 1e-2);
  }
}

TEST(Delay, GainCarriesSignAndUnit) {
  const Channels c = delayed(0.05, -57.3, 0.5);
  const DelayEstimate estimate = estimateDelay(c.reference, c.signal, 0.01, 0.5);
  EXPECT_NEAR(estimate.gain, -57.3, 0.1);
  EXPECT_LT(estimate.correlation, -0.99);
  EXPECT_NEAR(estimate.lag, 0.05, 1e-3);
}

TEST(Delay, NoiseShowsInTheStandardDeviation) {
  const Channels quiet = delayed(0.02, 1.0, 0.01), loud = delayed(0.02, 1.0, 0.3);
  const DelayEstimate a = estimateDelay(quiet.reference, quiet.signal, 0.01, 0.2);
  const DelayEstimate b = estimateDelay(loud.reference, loud.signal, 0.01, 0.2);
  EXPECT_LT(a.std_dev, 1e-3);
  EXPECT_GT(b.std_dev, 10.0 * a.std_dev);
  EXPECT_LT(std::abs(b.lag - 0.02), 5.0 * b.std_dev);
}

TEST(Delay, NothingToCompareIsSaid) {
  const VectorXd still = VectorXd::Zero(100);
  EXPECT_TRUE(std::isnan(estimateDelay(still, still, 0.01, 0.1).lag));
  EXPECT_TRUE(std::isnan(estimateDelay(still.head(5), still.head(5), 0.01, 0.1).lag));
  EXPECT_THAT(
      [&] { estimateDelay(still, still.head(99), 0.01, 0.1); },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("100 and 99 samples")));
}

}  // namespace
}  // namespace dynid
