#include "dynid/estimation/effort_delay.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using std::numbers::pi;

constexpr Index kShifts = 41, kMiddle = kShifts / 2;
constexpr double kStep = 0.004;  // [s]

/// Moments of one channel: columns x, dx/dt, d2x/dt2 and 1 of a sum of sines up to 3 Hz, an effort
/// that is late by `late` seconds, and noise that is correlated as after a low-pass.
std::vector<ShiftMoments> channel(double late, double noise, unsigned seed) {
  constexpr double kRate = 50.0;
  constexpr int kParts = 5, kRows = 300, kNoises = 40;
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<double> phases, noise_phases, noise_rates;
  for (int k = 0; k < 12; ++k) phases.push_back(pi * normal(generator));
  for (int k = 0; k < kNoises; ++k) {
    noise_phases.push_back(pi * normal(generator));
    noise_rates.push_back(2.0 * pi * 6.0 * std::abs(normal(generator)));
  }
  const auto x = [&](double t, int derivative) {
    double sum = 0.0;
    for (int k = 0; k < 12; ++k) {
      const double w = 2.0 * pi * 0.25 * (k + 1);
      sum += std::pow(w, derivative - 1) * std::sin(w * t + phases[k] + 0.5 * pi * derivative);
    }
    return sum;
  };
  const auto effort = [&](double t) {
    double sum = 2.0 * x(t - late, 2) + 5.0 * x(t - late, 1) - 3.0 * x(t - late, 0) + 1.0;
    for (size_t k = 0; k < noise_phases.size(); ++k)
      sum += noise * std::sqrt(2.0 / kNoises) * std::sin(noise_rates[k] * t + noise_phases[k]);
    return sum;
  };
  std::vector<ShiftMoments> parts;
  for (int part = 0; part < kParts; ++part) {
    MatrixXd rows(kRows, 4 + kShifts);
    for (Index i = 0; i < kRows; ++i) {
      const double t = static_cast<double>(part * kRows + i) / kRate;
      rows.row(i).head(4) << x(t, 0), x(t, 1), x(t, 2), 1.0;
      for (Index k = 0; k < kShifts; ++k)
        rows(i, 4 + k) = effort(t + kStep * static_cast<double>(k - kMiddle));
    }
    parts.push_back({rows.transpose() * rows, static_cast<double>(kRows)});
  }
  return parts;
}

/// The delay of both of two channels.
EffortDelay delayOf(const std::vector<std::vector<ShiftMoments>>& channels) {
  return EffortDelays(channels, kShifts, kStep).of(std::vector<Index>{0, 1});
}

TEST(EffortDelay, IsRecoveredBetweenTheShifts) {
  for (const double late : {0.0, 0.0021, 0.0037, -0.0113, 0.03, 0.0552}) {
    const std::vector<std::vector<ShiftMoments>> channels{channel(late, 1.0, 1),
                                                          channel(late, 1.0, 2)};
    const EffortDelay found = delayOf(channels);
    EXPECT_TRUE(found.inside_range);
    EXPECT_NEAR(found.delay, late, 3e-4) << late;
    EXPECT_LT(found.std_dev, 3e-4);
    EXPECT_LT(std::abs(found.delay - late), 4.0 * found.std_dev + 1e-6);
  }
}

TEST(EffortDelay, TakingItBackLowersTheErrorOnUnseenParts) {
  const std::vector<std::vector<ShiftMoments>> late{channel(0.02, 1.0, 1), channel(0.02, 1.0, 2)};
  EXPECT_LT(delayOf(late).error_ratio.maxCoeff(), 0.5);
  const std::vector<std::vector<ShiftMoments>> prompt{channel(0.0, 1.0, 1), channel(0.0, 1.0, 2)};
  const EffortDelay found = delayOf(prompt);
  EXPECT_NEAR(found.error_ratio.minCoeff(), 1.0, 1e-2);
  EXPECT_NEAR(found.error_ratio.maxCoeff(), 1.0, 1e-2);
}

TEST(EffortDelay, ChannelsThatDifferAreSeen) {
  const EffortDelays delays(
      {channel(0.0, 1.0, 1), channel(0.012, 1.0, 2), channel(0.0, 1.0, 3)}, kShifts, kStep);
  ASSERT_EQ(delays.numChannels(), 3);
  EXPECT_NEAR(delays.of(std::vector<Index>{0}).delay, 0.0, 5e-4);
  EXPECT_NEAR(delays.of(std::vector<Index>{1}).delay, 0.012, 5e-4);
  EXPECT_NEAR(delays.of(std::vector<Index>{0, 2}).delay, 0.0, 5e-4);
  EXPECT_LT(delays.errorRatio(1, 0.012), 0.7);
  EXPECT_GT(delays.errorRatio(0, 0.012), 1.4);
  EXPECT_EQ(delays.errorRatio(1, 0.0), 1.0);
}

TEST(EffortDelay, DoesNotDependOnTheThreads) {
  const std::vector<std::vector<ShiftMoments>> channels{channel(0.01, 1.0, 1),
                                                        channel(0.012, 1.0, 2)};
  const EffortDelay one = delayOf(channels);
  const EffortDelay three = EffortDelays(channels, kShifts, kStep, 3).of(std::vector<Index>{0, 1});
  EXPECT_EQ(one.delay, three.delay);
  EXPECT_EQ(one.std_dev, three.std_dev);
  EXPECT_EQ(one.error_ratio, three.error_ratio);
}

TEST(EffortDelay, BeyondTheRangeIsSaid) {
  const std::vector<std::vector<ShiftMoments>> channels{channel(0.1, 0.1, 1), channel(0.1, 0.1, 2)};
  EXPECT_FALSE(delayOf(channels).inside_range);
}

TEST(EffortDelay, BadArgumentsAreNamed) {
  EXPECT_THROW(EffortDelays({}, kShifts, kStep), std::invalid_argument);
  const std::vector<std::vector<ShiftMoments>> channels{channel(0.0, 1.0, 1)};
  EXPECT_THROW(EffortDelays(channels, 40, kStep), std::invalid_argument);
}

// Both channels have the parameters of dx/dt and of d2x/dt2 in common.
TEST(JoinedChannels, HaveOneDelay) {
  const std::vector<std::vector<int>> parameters{{0, 1, 2, 3}, {4, 1, 2, 5}};
  const JoinedChannels joined =
      joinChannels({channel(0.012, 1.0, 1), channel(0.012, 4.0, 2)}, parameters, kShifts);
  EXPECT_EQ(joined.rank(kShifts), 6);
  ASSERT_EQ(joined.parts.size(), 5u);
  EXPECT_EQ(joined.parts[0].rows, 600.0);
  EXPECT_EQ(joined.parts[0].gram.rows(), 6 + kShifts);
  const EffortDelay found = EffortDelays({joined.parts}, kShifts, kStep).of(std::vector<Index>{0});
  EXPECT_TRUE(found.inside_range);
  EXPECT_NEAR(found.delay, 0.012, 5e-4);
  EXPECT_LT(found.error_ratio(0), 0.9);
}

// Columns without a parameter belong to their channel; equal columns count once.
TEST(JoinedChannels, HaveColumnsOfTheirOwn) {
  const JoinedChannels joined =
      joinChannels({channel(0.0, 1.0, 1), channel(0.0, 1.0, 2)}, {{0, 1}, {0, 1}}, kShifts);
  EXPECT_EQ(joined.parts[0].gram.rows(), 2 + 2 + 2 + kShifts);
  EXPECT_EQ(joined.rank(kShifts), 6);
  const JoinedChannels same = joinChannels(
      {channel(0.0, 1.0, 1), channel(0.0, 1.0, 1)}, {{0, 1, 2, 3}, {0, 1, 2, 3}}, kShifts);
  EXPECT_EQ(same.rank(kShifts), 4);
}

// A channel with four times the noise has a sixteenth of the weight.
TEST(JoinedChannels, AreWeightedByTheirNoise) {
  const auto error = [](double noise) {
    const std::vector<ShiftMoments> parts =
        joinChannels({channel(0.0, noise, 1)}, {{0, 1, 2, 3}}, kShifts).parts;
    ShiftMoments sum;
    for (const ShiftMoments& part : parts) sum += part;
    return sum.gram(1, 1);
  };
  EXPECT_NEAR(error(1.0) / error(4.0), 16.0, 0.1);
}

}  // namespace
}  // namespace dynid
