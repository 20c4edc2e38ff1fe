#include "dynid/signals/spectrum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

TEST(Spectrum, PowerIntegratesToTheVariance) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal(0.0, 0.3);
  const std::vector<MatrixXd> pieces{MatrixXd::NullaryExpr(20000, 1, [&](Index k, Index) {
    return normal(generator) +
           2.0 * std::sin(2.0 * std::numbers::pi * 7.0 * static_cast<double>(k) / 100.0);
  })};
  const Spectrum spectrum = powerSpectrum(pieces, 100.0);
  const double bin = spectrum.frequency(1) - spectrum.frequency(0);
  EXPECT_NEAR(spectrum.power.sum() * bin, 0.09 + 2.0, 0.05);
  Index peak = 0;
  spectrum.power.col(0).maxCoeff(&peak);
  EXPECT_NEAR(spectrum.frequency(peak), 7.0, bin);
  EXPECT_NEAR(spectrum.power.col(0).tail(2000).mean(), 0.09 / 50.0, 2e-4);
}

TEST(Spectrum, TooLittleIsNoSpectrum) {
  EXPECT_EQ(powerSpectrum({}, 100.0).averages, 0);
  const std::vector<MatrixXd> pieces{MatrixXd::Zero(10, 2)};
  EXPECT_EQ(powerSpectrum(pieces, 100.0).averages, 0);
}

}  // namespace
}  // namespace dynid
