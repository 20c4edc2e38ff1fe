#include "dynid/estimation/log_agreement.h"

#include <gtest/gtest.h>

#include "estimation/synthetic_regression.h"

namespace dynid {
namespace {

// Two logs of the same length; in the second one a parameter has another value.
// In that log columns 4 and 5 may be proportional, but for a relative error.
Statistics twoLogs(SyntheticRegression problem,
                   int changed,
                   double by,
                   std::uint64_t seed,
                   bool proportional = false,
                   double error = 0.0) {
  std::mt19937_64 rng(seed);
  Statistics first = compress(problem, sampleRows(problem, rng));
  problem.truth(changed) += by;
  std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  if (proportional) {
    Eigen::MatrixXd& X = samples[1];
    X.col(4) += problem.truth(5) * (2.0 * X.col(2) - X.col(3));
    X.col(3) = 2.0 * X.col(2) + error * X.col(3);
  }
  const Statistics second = compress(problem, samples);
  for (int b = 0; b < second.numBlocks(); ++b) first.block_log.push_back(1);
  for (size_t a = 0; a < first.channels.size(); ++a) {
    const auto append = [](std::vector<TriangularFactor>& to,
                           const std::vector<TriangularFactor>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(first.channels[a].moving, second.channels[a].moving);
    append(first.channels[a].standstill, second.channels[a].standstill);
  }
  return first;
}

std::vector<LogAgreement> compare(const SyntheticRegression& problem,
                                  const Statistics& statistics) {
  const LeastSquaresOptions options;
  const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem), options);
  return compareLogs(statistics, estimate, options, {});
}

TEST(LogAgreement, HasRatioOneForLogsOfOneTruth) {
  const SyntheticRegression problem;
  double squared = 0.0, outside = 0.0;
  int differing = 0;
  constexpr int kPairs = 100;
  for (int i = 0; i < kPairs; ++i) {
    const auto agreement =
        compare(problem, twoLogs(problem, 0, 0.0, 10 + static_cast<std::uint64_t>(i)));
    ASSERT_EQ(agreement.size(), 1u);
    EXPECT_EQ(agreement[0].compared, 6);
    squared += agreement[0].ratio * agreement[0].ratio / kPairs;
    outside += agreement[0].outside / kPairs;
    differing += agreement[0].differs ? 1 : 0;
  }
  // 600 differences with about 30 degrees of freedom each: the mean square has a standard deviation
  // of 7 %.
  EXPECT_NEAR(squared, 1.07, 0.2);
  EXPECT_NEAR(outside, 0.05, 0.03);
  EXPECT_LT(differing, 30);
}

TEST(LogAgreement, NamesTheParameterThatDiffers) {
  const SyntheticRegression problem;
  const auto agreement = compare(problem, twoLogs(problem, 3, 0.1, 5));
  ASSERT_EQ(agreement.size(), 1u);
  EXPECT_TRUE(agreement[0].differs);
  ASSERT_FALSE(agreement[0].largest.empty());
  EXPECT_EQ(agreement[0].largest[0].position, 3);
  EXPECT_TRUE(agreement[0].largest[0].significant);
  EXPECT_NEAR(agreement[0].largest[0].other_value - agreement[0].largest[0].value, 0.1, 0.02);
}

// Column 3 appears in both channels, column 0 in the first only.
TEST(LogAgreement, MeasuresTheEffortsThatAPartOfTheLogsNeeds) {
  const SyntheticRegression problem;
  const auto right = compare(problem, twoLogs(problem, 0, 0.0, 5));
  ASSERT_EQ(right[0].apart.size(), 2);
  EXPECT_LT(right[0].apart.maxCoeff(), 0.005);
  const auto wrong = compare(problem, twoLogs(problem, 0, 1.0, 5));
  // Both fits are half of the change from the common one: 0.5 of |(2.5, -1, 0.5, 3)|.
  EXPECT_NEAR(wrong[0].apart(0), 0.5 / 4.06, 0.01);
  EXPECT_LT(wrong[0].apart(1), 0.02);
  EXPECT_NEAR(wrong[0].residual(0), 0.1 / 4.06, 0.005);
}

// The same rows as one log whose parameter changes in the middle.
TEST(LogAgreement, ComparesTheHalvesOfOneLog) {
  const SyntheticRegression problem;
  const auto halves = [&](double by, bool one_log) {
    Statistics statistics = twoLogs(problem, 3, by, 5);
    if (one_log) statistics.block_log.assign(statistics.block_log.size(), 0);
    const LeastSquaresOptions options;
    return compareParts(
        statistics, weightedLeastSquares(statistics, allColumns(problem), options), options, {});
  };
  EXPECT_FALSE(halves(0.1, false));
  EXPECT_FALSE(halves(0.0, true));
  ASSERT_TRUE(halves(0.1, true));
  EXPECT_TRUE(halves(0.1, true)->differs);
  EXPECT_EQ(halves(0.1, true)->largest[0].position, 3);
  ASSERT_GT(halves(0.1, true)->apart.size(), 0);
  EXPECT_GT(halves(0.2, true)->apart.maxCoeff(), 1.5 * halves(0.1, true)->apart.maxCoeff());
}

// Most blocks of one side are left out, so that the change is after a quarter or three quarters.
TEST(LogAgreement, FindsAChangeThatIsNotInTheMiddle) {
  const SyntheticRegression problem;
  for (const bool early : {true, false}) {
    Statistics statistics = twoLogs(problem, 3, 0.5, 5);
    const auto half = std::ssize(statistics.block_log) / 2, kept = half / 3;
    const auto shorten = [&](auto& of_blocks) {
      const auto begin = of_blocks.begin() + (early ? kept : half + kept);
      of_blocks.erase(begin, begin + (half - kept));
    };
    shorten(statistics.block_log);
    statistics.block_log.assign(statistics.block_log.size(), 0);
    for (ChannelStatistics& channel : statistics.channels) {
      shorten(channel.moving);
      shorten(channel.standstill);
    }
    const LeastSquaresOptions options;
    const auto parts = compareParts(
        statistics, weightedLeastSquares(statistics, allColumns(problem), options), options, {});
    ASSERT_TRUE(parts);
    EXPECT_EQ(parts->split, early ? 0.25 : 0.75);
    EXPECT_TRUE(parts->differs);
    EXPECT_EQ(parts->largest[0].position, 3);
  }
}

// One log determines a combination of two parameters (a payload and its link), the other both.
TEST(LogAgreement, LeavesOutWhatOneLogDeterminesOnlyInCombination) {
  const SyntheticRegression problem;
  const auto agreement = compare(problem, twoLogs(problem, 0, 0.0, 5, true));
  ASSERT_EQ(agreement.size(), 1u);
  EXPECT_EQ(agreement[0].compared, 4);
  EXPECT_LT(agreement[0].ratio, 2.0);
}

// Rounding and filters leave a small difference between columns that are proportional.
TEST(LogAgreement, LeavesOutWhatOneLogDeterminesByRoundingErrorsOnly) {
  const SyntheticRegression problem;
  for (const double error : {1e-7, 1e-5})
    EXPECT_EQ(compare(problem, twoLogs(problem, 0, 0.0, 5, true, error))[0].compared, 4) << error;
  EXPECT_EQ(compare(problem, twoLogs(problem, 0, 0.0, 5, true, 1e-2))[0].compared, 6);
}

TEST(LogAgreement, HasNothingToCompareInOneLog) {
  const SyntheticRegression problem;
  std::mt19937_64 rng(1);
  EXPECT_TRUE(compare(problem, compress(problem, sampleRows(problem, rng))).empty());
}

}  // namespace
}  // namespace dynid
