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
using std::numbers::pi;

/// Three harmonics of `base` on every joint, and white noise.
MatrixXd motion(double seconds, double rate, double base, double noise, double step = 0.0) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  return MatrixXd::NullaryExpr(static_cast<Index>(seconds * rate), 3, [&](Index k, Index j) {
    const double w = 2.0 * pi * base * static_cast<double>(k) / rate;
    const double p = static_cast<double>(j);
    double q = 0.5 * std::sin(w + p) + 0.2 * std::sin(2.0 * w) + 0.1 * std::cos(3.0 * w + p);
    q += noise * normal(generator);
    return step > 0.0 ? std::round(q / step) * step : q;
  });
}

CutoffChoice choose(const MatrixXd& Q, double rate) {
  const std::vector<MatrixXd> pieces{Q};
  return chooseCutoff(pieces, rate, rate);
}

TEST(Cutoff, LiesAboveTheMotionAndFarBelowNyquistAtEveryRate) {
  struct Case {
    double seconds, rate, base, noise, step;
  };
  // Slow motion at 50 Hz, quantised encoders at 5 kHz, fast motion at 1 kHz, no noise.
  for (const Case& c : {Case{60.0, 50.0, 0.1, 1e-5, 0.0},
                        Case{3.0, 5000.0, 2.0, 0.0, 3e-5},
                        Case{20.0, 1000.0, 1.6, 1e-5, 0.0},
                        Case{20.0, 200.0, 0.3, 1e-3, 0.0},
                        Case{20.0, 200.0, 0.3, 0.0, 0.0}}) {
    const CutoffChoice choice = choose(motion(c.seconds, c.rate, c.base, c.noise, c.step), c.rate);
    EXPECT_GT(choice.cutoff_hz, 3.0 * c.base) << c.rate << " Hz: " << choice.reason;
    EXPECT_LT(choice.cutoff_hz, 60.0 * c.base) << c.rate << " Hz: " << choice.reason;
    EXPECT_LE(choice.cutoff_hz, 0.2 * c.rate);
  }
}

TEST(Cutoff, NoiseIsMeasured) {
  const CutoffChoice choice = choose(motion(60.0, 100.0, 0.2, 2e-4), 100.0);
  for (Index j = 0; j < 3; ++j) EXPECT_NEAR(choice.noise(j), 2e-4, 3e-5);
}

TEST(Cutoff, MoreNoiseLowersIt) {
  // Forty lines, 0.2 Hz apart, falling with the third power of the frequency.
  const auto falling = [](double noise) {
    std::mt19937 generator(6);
    std::normal_distribution<double> normal(0.0, noise);
    return MatrixXd(MatrixXd::NullaryExpr(6000, 2, [&](Index k, Index j) {
      double q = normal(generator);
      for (int line = 1; line <= 40; ++line)
        q += std::sin(2.0 * pi * 0.2 * line * static_cast<double>(k) / 100.0 + line * line + j) /
             std::pow(line, 3);
      return q;
    }));
  };
  const double quiet = choose(falling(1e-5), 100.0).cutoff_hz;
  const double loud = choose(falling(1e-2), 100.0).cutoff_hz;
  EXPECT_LT(loud, 0.6 * quiet);
  EXPECT_GT(loud, 0.4);
}

// From 0.05 to 0.15 Hz, measured with an encoder of 17 bits: too slow for its end to stand out of
// the noise, and quiet enough for a higher cut-off.
TEST(Cutoff, AShortLogOfASlowMotionKeepsEnoughSamples) {
  const double step = 2.0 * pi / 131072.0;
  const auto samples = [&](double seconds, double noise) {
    return 4.0 * seconds * choose(motion(seconds, 100.0, 0.05, noise, step), 100.0).cutoff_hz;
  };
  EXPECT_NEAR(samples(20.0, 0.0), 2.0 * kFewSamples, 3.0);
  EXPECT_NEAR(samples(30.0, 0.0), 2.0 * kFewSamples, 3.0);
  EXPECT_LT(samples(20.0, 0.01), kFewSamples) << "noise hides the motion";
  EXPECT_NEAR(choose(motion(5.0, 100.0, 0.2, 0.0, step), 100.0).cutoff_hz, kSlowMotionHz, 1e-9);
}

TEST(Cutoff, AGapInTheSpectrumIsNotTheEndOfTheMotion) {
  // 0.1 Hz and 4 Hz, nothing in between.
  const MatrixXd Q = MatrixXd::NullaryExpr(6000, 2, [&](Index k, Index j) {
    const double t = static_cast<double>(k) / 100.0;
    return std::sin(2.0 * pi * 0.1 * t) + 0.05 * std::sin(2.0 * pi * 4.0 * t + j);
  });
  std::mt19937 generator(5);
  std::normal_distribution<double> normal(0.0, 1e-4);
  const MatrixXd noisy = Q.unaryExpr([&](double q) { return q + normal(generator); });
  EXPECT_GT(choose(noisy, 100.0).cutoff_hz, 4.0);
}

// Linear interpolation from 25 to 100 Hz repeats the motion (1.8 Hz) around 25 and 50 Hz. Rounded
// afterwards, the positions have no straight lines that show it.
TEST(Cutoff, ImagesOfTheMotionAreNotMotion) {
  const MatrixXd source = motion(60.0, 25.0, 0.613, 0.0);
  const MatrixXd Q = MatrixXd::NullaryExpr(4 * (source.rows() - 1), 3, [&](Index k, Index j) {
    const double share = 0.25 * static_cast<double>(k % 4);
    const double q = (1.0 - share) * source(k / 4, j) + share * source(k / 4 + 1, j);
    return std::round(1e3 * q) / 1e3;
  });
  EXPECT_LT(choose(Q, 100.0).cutoff_hz, 8.0);
}

TEST(Cutoff, MotionAboveAGapCountsBelowTheHighestCutoff) {
  // A fifth of the sample rate is 4 Hz. Nothing is between 0.1 and 3 Hz.
  std::mt19937 generator(5);
  std::normal_distribution<double> normal(0.0, 1e-4);
  const MatrixXd Q = MatrixXd::NullaryExpr(2400, 2, [&](Index k, Index j) {
    const double t = static_cast<double>(k) / 20.0;
    return std::sin(2.0 * pi * 0.1 * t) + 0.05 * std::sin(2.0 * pi * 3.0 * t + j) +
           normal(generator);
  });
  EXPECT_GT(choose(Q, 20.0).cutoff_hz, 3.0);
}

TEST(Cutoff, NothingIsKnownAboveTheRateOfTheSamples) {
  const std::vector<MatrixXd> pieces{motion(20.0, 1000.0, 15.0, 1e-5)};
  EXPECT_GT(chooseCutoff(pieces, 1000.0, 1000.0).cutoff_hz, 45.0);
  EXPECT_LE(chooseCutoff(pieces, 1000.0, 200.0).cutoff_hz, 40.0);
}

TEST(Cutoff, JointsAtRestHaveNoSay) {
  MatrixXd Q = motion(60.0, 100.0, 0.3, 1e-5);
  const double all = choose(Q, 100.0).cutoff_hz;
  std::mt19937 generator(5);
  std::normal_distribution<double> normal(0.0, 1e-5);
  for (const Index j : {0, 1})
    Q.col(j) = Q.col(j).unaryExpr([&](double) { return normal(generator); });
  EXPECT_NEAR(choose(Q, 100.0).cutoff_hz, all, 0.5 * all);
}

// The motion repeats every 1250 rows, and so does the rounding: nothing is between its lines.
TEST(Cutoff, RoundingOfARepeatedMotionIsNoise) {
  constexpr double kStep = 7.67e-4;
  const MatrixXd Q = (0.05 * motion(30.0, 500.0, 0.4, 0.0) / kStep).array().round() * kStep;
  const std::vector<MatrixXd> pieces{Q};
  const CutoffChoice choice =
      chooseCutoff(pieces, 500.0, 500.0, Eigen::Vector3d::Constant(kStep / std::sqrt(12.0)));
  EXPECT_LT(choice.cutoff_hz, 10.0 * 3.0 * 0.4);
  for (const double noise : choice.noise) EXPECT_GE(noise, 0.999 * kStep / std::sqrt(12.0));
}

TEST(Cutoff, NoMotionIsSaid) {
  const CutoffChoice choice = choose(MatrixXd::Zero(1000, 2), 100.0);
  EXPECT_EQ(choice.cutoff_hz, 5.0);
  EXPECT_NE(choice.reason.find("no motion"), std::string::npos);
  EXPECT_LE(choose(MatrixXd::Zero(5, 2), 10.0).cutoff_hz, 2.0);
}

}  // namespace
}  // namespace dynid
