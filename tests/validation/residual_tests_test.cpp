#include "dynid/validation/residual_tests.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace dynid {
namespace {

std::vector<double> firstOrder(unsigned seed, size_t n, double phi, double mean = 0.0) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> x(n);
  double state = normal(random) / std::sqrt(1.0 - phi * phi);
  for (double& v : x) {
    v = mean + state;
    state = phi * state + normal(random);
  }
  return x;
}

ResidualTest testOf(const std::vector<double>& x) {
  ResidualTest test;
  test.add(Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size())));
  return test;
}

/// In two passes, directly from the definition.
double ljungBoxOverLags(const std::vector<double>& x) {
  const auto n = static_cast<double>(x.size());
  double mean = 0.0, c0 = 0.0, Q = 0.0;
  for (const double v : x) mean += v / n;
  for (const double v : x) c0 += (v - mean) * (v - mean);
  for (size_t k = 1; k <= ResidualTest::kLags; ++k) {
    double c = 0.0;
    for (size_t i = k; i < x.size(); ++i) c += (x[i] - mean) * (x[i - k] - mean);
    Q += (c / c0) * (c / c0) / (n - static_cast<double>(k));
  }
  return n * (n + 2.0) * Q / static_cast<double>(ResidualTest::kLags);
}

TEST(ResidualTest, StreamingEqualsTheTwoPassDefinition) {
  for (const double phi : {0.0, 0.6, 0.95})
    for (const double mean : {0.0, 1e6}) {
      const std::vector<double> x = firstOrder(3, 5000, phi, mean);
      EXPECT_NEAR(testOf(x).whiteness() / ljungBoxOverLags(x), 1.0, 1e-7) << phi << " " << mean;
    }
}

TEST(ResidualTest, WhiteNoiseIsRejectedAsOftenAsItShould) {
  const boost::math::chi_squared chi(static_cast<double>(ResidualTest::kLags));
  const double limit = boost::math::quantile(chi, 0.95) / static_cast<double>(ResidualTest::kLags);
  int rejected = 0;
  constexpr int kRuns = 1000;
  for (unsigned run = 0; run < kRuns; ++run)
    if (testOf(firstOrder(run, 1000, 0.0)).whiteness() > limit) ++rejected;
  EXPECT_NEAR(rejected / double{kRuns}, 0.05, 4.0 * std::sqrt(0.05 * 0.95 / kRuns));
}

TEST(ResidualTest, CorrelatedNoiseIsFarFromWhite) {
  EXPECT_GT(testOf(firstOrder(1, 5000, 0.5)).whiteness(), 50.0);
}

TEST(ResidualTest, InefficiencyOfFirstOrderNoise) {
  for (const double phi : {0.0, 0.5, 0.9, 0.98}) {
    double sum = 0.0;
    constexpr int kRuns = 20;
    for (unsigned run = 0; run < kRuns; ++run)
      sum += testOf(firstOrder(100 + run, 60000, phi)).inefficiency();
    const double expected = (1.0 + phi) / (1.0 - phi);
    EXPECT_NEAR(sum / kRuns / expected, 1.0, 0.1) << phi;
  }
}

TEST(ResidualTest, NoLagReachesAcrossAGap) {
  // Alternating signs within stretches of two samples, each followed by a gap: r_1 is -1 within
  // stretches, and there are no pairs across.
  ResidualTest broken, whole;
  for (int i = 0; i < 2000; ++i) {
    const Eigen::VectorXd value = Eigen::VectorXd::Constant(1, i % 2 == 0 ? 1.0 : -1.0);
    broken.add(value);
    whole.add(value);
    if (i % 2 == 1) broken.breakHere();
  }
  EXPECT_NEAR(whole.whiteness(), 2000.0, 30.0);
  EXPECT_NEAR(
      broken.whiteness(), 2000.0 * 0.25 / 20.0, 1.0);  // r_1 = -1/2 of the pairs, no other lag
}

TEST(ResidualTest, InPiecesOfAnyLengthAsAtOnce) {
  const std::vector<double> x = firstOrder(7, 9000, 0.8, 2.0);
  const ResidualTest whole = testOf(x);
  std::mt19937_64 random(1);
  for (const size_t longest : {1, 5, 30, 3000}) {
    ResidualTest pieces;
    for (size_t first = 0, count = 0; first < x.size(); first += count) {
      count = std::min(x.size() - first, 1 + random() % longest);
      pieces.add(Eigen::Map<const Eigen::VectorXd>(&x[first], static_cast<Eigen::Index>(count)));
    }
    EXPECT_EQ(pieces.count(), whole.count());
    EXPECT_NEAR(pieces.mean(), whole.mean(), 1e-12);
    EXPECT_NEAR(pieces.variance() / whole.variance(), 1.0, 1e-12);
    EXPECT_NEAR(pieces.whiteness() / whole.whiteness(), 1.0, 1e-10);
    EXPECT_NEAR(pieces.inefficiency() / whole.inefficiency(), 1.0, 1e-10);
  }
}

TEST(ResidualTest, SaysNothingWhereThereIsNothingToSay) {
  EXPECT_TRUE(std::isnan(testOf({}).whiteness()));
  EXPECT_TRUE(std::isnan(testOf({1.0, 2.0}).inefficiency()));
  EXPECT_TRUE(std::isnan(testOf(std::vector<double>(500, 3.0)).whiteness()));
}

}  // namespace
}  // namespace dynid
