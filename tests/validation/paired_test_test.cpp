#include "dynid/validation/paired_test.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace dynid {
namespace {

using ::testing::HasSubstr;

std::vector<double> firstOrder(std::mt19937_64& random, size_t n, double phi, double mean) {
  std::normal_distribution<double> normal;
  std::vector<double> x(n);
  double state = normal(random) / std::sqrt(1.0 - phi * phi);
  for (double& v : x) {
    v = mean + state;
    state = phi * state + normal(random);
  }
  return x;
}

TEST(PairedTest, RejectsATrueNullAboutAsOftenAsItSays) {
  for (const double phi : {0.0, 0.5, 0.8})
    for (const size_t n : {20U, 60U, 600U}) {
      std::mt19937_64 random(5);
      constexpr int kRuns = 2000;
      int rejected = 0;
      for (int run = 0; run < kRuns; ++run)
        if (testMean(firstOrder(random, n, phi, 0.0)).p_value < 0.05) ++rejected;
      // Short and strongly correlated series are the difficult case, in which a naive t test
      // rejects half of the true hypotheses.
      const double most = n < 40 ? 0.11 : 0.07;
      EXPECT_LT(rejected / double{kRuns}, most) << phi << " " << n;
      EXPECT_GT(rejected / double{kRuns}, 0.02) << phi << " " << n;
    }
}

TEST(PairedTest, IsExactForIndependentNormalDifferences) {
  // x = 1..8 against zero: t = 4.5 / (sqrt(6)/sqrt(8)) = 5.196, 7 degrees of freedom, p = 0.00126
  // (two-sided).
  const std::vector<double> x = {3.0, 6.0, 1.0, 8.0, 4.0, 5.0, 2.0, 7.0};
  const PairedTest test = testMean(x);
  EXPECT_DOUBLE_EQ(test.mean, 4.5);
  EXPECT_DOUBLE_EQ(test.degrees_of_freedom, 7.0);
  EXPECT_NEAR(test.p_value, 0.00126, 1e-5);
}

TEST(PairedTest, DetectsADifference) {
  std::mt19937_64 random(6);
  EXPECT_LT(testMean(firstOrder(random, 60, 0.0, 1.0)).p_value, 1e-3);
  EXPECT_LT(testMean(firstOrder(random, 600, 0.8, 1.0)).p_value, 0.05);
}

TEST(PairedTest, OfAlmostNothing) {
  EXPECT_EQ(testMean({}).p_value, 1.0);
  EXPECT_EQ(testMean({2.0}).p_value, 1.0);
  EXPECT_EQ(testMean({0.0, 0.0, 0.0, 0.0}).p_value, 1.0);
}

BlockErrors errorsOf(const Eigen::MatrixXd& measured, const Eigen::MatrixXd& predicted) {
  BlockErrors errors(measured.cols(), 100);
  errors.add(measured, predicted);
  return errors;
}

TEST(BlockErrors, MergesNeighboursAndKeepsTheSums) {
  const Eigen::MatrixXd measured = Eigen::MatrixXd::Random(10000, 2);
  const Eigen::MatrixXd predicted = Eigen::MatrixXd::Random(10000, 2);
  BlockErrors errors(2, 3, 16);
  for (Eigen::Index i = 0; i < 10000; i += 10)
    errors.add(measured.middleRows(i, 10), predicted.middleRows(i, 10));
  const auto blocks = errors.blocks();
  EXPECT_LE(blocks.size(), 17U);
  EXPECT_GE(blocks.size(), 8U);
  Eigen::Index rows = 0;
  for (const BlockErrors::Block& block : blocks) {
    EXPECT_EQ(block.rows, errors.rowsPerBlock());
    const Eigen::ArrayXd expected =
        (measured - predicted).middleRows(rows, block.rows).colwise().squaredNorm().transpose();
    EXPECT_LT((block.errors - expected).abs().maxCoeff(), 1e-9 * expected.maxCoeff());
    rows += block.rows;
  }
}

struct Pair {
  Eigen::MatrixXd measured, ours, other;
};

/// Noise 1; the error of the other model is `fault` times a slow sine.
Pair somePair(double fault, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Pair pair;
  pair.ours = pair.other = pair.measured = Eigen::MatrixXd::Zero(6000, 2);
  for (Eigen::Index i = 0; i < 6000; ++i)
    for (Eigen::Index j = 0; j < 2; ++j) {
      const double wave = std::sin(0.01 * static_cast<double>(i));
      const double truth = 10.0 * wave;
      pair.measured(i, j) = truth + normal(random);
      pair.ours(i, j) = truth;
      pair.other(i, j) = truth + fault * wave;
    }
  return pair;
}

TEST(ComparePaired, SaysWhichModelIsBetter) {
  const Pair pair = somePair(0.5, 1);
  const BlockErrors ours = errorsOf(pair.measured, pair.ours);
  const BlockErrors other = errorsOf(pair.measured, pair.other);
  const Comparison better = comparePaired("old.json", ours, other, 0.01);
  EXPECT_TRUE(better.significant);
  EXPECT_GT(better.difference, 0.0);
  EXPECT_THAT(better.message, HasSubstr("this model is better than old.json"));
  const Comparison worse = comparePaired("old.json", other, ours, 0.01);
  EXPECT_TRUE(worse.significant);
  EXPECT_NEAR(worse.difference, -better.difference, 1e-12);
  EXPECT_THAT(worse.message, HasSubstr("old.json is better"));
}

TEST(ComparePaired, WritesLargeDifferencesWithoutAnExponent) {
  Pair pair = somePair(0.5, 1);
  pair.ours = pair.measured + 1e-2 * (pair.ours - pair.measured);
  const Comparison better = comparePaired(
      "old.json", errorsOf(pair.measured, pair.ours), errorsOf(pair.measured, pair.other), 0.01);
  EXPECT_THAT(better.message, HasSubstr("lower by 200 % of"));
}

TEST(ComparePaired, DoesNotSeeWhatIsNotThere) {
  const Pair pair = somePair(0.0, 2);
  const Comparison same = comparePaired(
      "twin", errorsOf(pair.measured, pair.ours), errorsOf(pair.measured, pair.other), 0.01);
  EXPECT_FALSE(same.significant);
  EXPECT_EQ(same.p_value, 1.0);
  EXPECT_THAT(same.message, HasSubstr("no significant difference from twin"));
}

TEST(ComparePaired, NoJointDominates) {
  // Our model is better on the small joint and equal on the joint with 1000 times the effort.
  Pair pair = somePair(0.5, 3);
  pair.measured.col(0) *= 1000.0;
  pair.ours.col(0) *= 1000.0;
  pair.other.col(0) = pair.ours.col(0);
  EXPECT_TRUE(
      comparePaired(
          "x", errorsOf(pair.measured, pair.ours), errorsOf(pair.measured, pair.other), 0.01)
          .significant);
}

TEST(ComparePaired, AnotherDriveGainOfTheOtherModelIsNoDifference) {
  // The same currents, converted with gains that differ by a factor of 3.
  const Pair pair = somePair(0.5, 4);
  const Comparison same = comparePaired("x",
                                        errorsOf(pair.measured, pair.ours),
                                        errorsOf(3.0 * pair.measured, 3.0 * pair.ours),
                                        0.01);
  EXPECT_NEAR(same.difference, 0.0, 1e-12);
}

TEST(ComparePaired, ShortLogsTellNothing) {
  const Pair pair = somePair(5.0, 5);
  const Comparison c = comparePaired("x",
                                     errorsOf(pair.measured.topRows(250), pair.ours.topRows(250)),
                                     errorsOf(pair.measured.topRows(250), pair.other.topRows(250)),
                                     0.01);
  EXPECT_FALSE(c.significant);
  EXPECT_THAT(c.message, HasSubstr("too short to tell"));
}

}  // namespace
}  // namespace dynid
