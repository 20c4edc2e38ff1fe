#include "dynid/estimation/least_squares.h"

#include <Eigen/QR>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "estimation/synthetic_regression.h"
#include <cmath>

namespace dynid {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(WeightedLeastSquares, RecoversTheTruthToRoundingWithoutNoise) {
  SyntheticRegression problem;
  problem.sigma.setZero();
  std::mt19937_64 rng(1);
  const Estimate estimate =
      weightedLeastSquares(compress(problem, sampleRows(problem, rng)), allColumns(problem));
  EXPECT_LT(((estimate.beta - problem.truth).array() / problem.truth.array()).abs().maxCoeff(),
            1e-12);
  EXPECT_EQ(estimate.rank, 6);
  EXPECT_EQ(estimate.rows, 2000.0);
  EXPECT_TRUE(estimate.unexcited.empty());
  EXPECT_TRUE(estimate.reason.empty());
}

TEST(WeightedLeastSquares, FindsTheNoiseOfEachChannel) {
  SyntheticRegression problem;
  problem.sigma = Eigen::Vector2d(0.02, 5.0);
  problem.blocks = 40;
  problem.rows = 200;
  std::mt19937_64 rng(2);
  const Estimate estimate =
      weightedLeastSquares(compress(problem, sampleRows(problem, rng)), allColumns(problem));
  // 8000 rows per channel: the standard deviation of sigma is 0.8 %.
  EXPECT_NEAR(estimate.sigma(0) / 0.02, 1.0, 0.03);
  EXPECT_NEAR(estimate.sigma(1) / 5.0, 1.0, 0.03);
}

TEST(WeightedLeastSquares, RowsOfAnEarlierFitChangeNothing) {
  SyntheticRegression problem;
  std::mt19937_64 rng(4);
  std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  samples[1].topRows(problem.rows).col(4) *= 30.0;  // one block gets a small weight
  const Statistics statistics = compress(problem, samples);
  const std::vector<int> all = allColumns(problem), fewer = {0, 1, 2, 3, 5};
  LeastSquaresOptions options;
  options.weighted_channels = weightedLeastSquares(statistics, all).weighted_channels;
  for (const std::vector<int>& columns : {all, fewer}) {
    const Estimate fresh = weightedLeastSquares(statistics, columns);
    const Estimate again = weightedLeastSquares(statistics, columns, options);
    EXPECT_LT((fresh.beta - again.beta).norm(), 1e-12 * fresh.beta.norm());
    EXPECT_LT((fresh.block_weights - again.block_weights).norm(), 1e-12);
    EXPECT_LT(fresh.block_weights.minCoeff(), 0.9);
  }
  // Channel 0 has the same columns in both fits, and its weights did not change.
  options.weight_passes = 0;
  options.block_weights = weightedLeastSquares(statistics, all).block_weights;
  const Estimate kept = weightedLeastSquares(statistics, all, options);
  EXPECT_EQ(kept.weighted_channels[0], options.weighted_channels[0]);
  EXPECT_EQ(kept.weighted_channels[1], options.weighted_channels[1]);
}

TEST(WeightedLeastSquares, IsTheClosedFormOfTheWhitenedStack) {
  SyntheticRegression problem;
  problem.sigma = Eigen::Vector2d(0.02, 5.0);
  std::mt19937_64 rng(3);
  const std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  LeastSquaresOptions options;
  options.sigma = problem.sigma;
  options.robust = false;
  const Estimate estimate =
      weightedLeastSquares(compress(problem, samples), allColumns(problem), options);
  const Eigen::MatrixXd stack = whitenedRows(problem, samples, problem.sigma);
  const Eigen::VectorXd expected = stack.leftCols(6).householderQr().solve(stack.col(6));
  EXPECT_LT((estimate.beta - expected).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_EQ(estimate.sigma, problem.sigma);
  // R, z and the residual represent the whole stack for any parameters, not only at the optimum.
  const Eigen::VectorXd other = Eigen::VectorXd::LinSpaced(6, -1.0, 2.0);
  for (const Eigen::VectorXd& beta : {expected, other}) {
    const double whole = (stack.leftCols(6) * beta - stack.col(6)).squaredNorm();
    const double kept = (estimate.R * beta - estimate.z).squaredNorm() + estimate.residual_squared;
    EXPECT_NEAR(kept / whole, 1.0, 1e-12);
  }
}

TEST(WeightedLeastSquares, ColumnsThatAreLeftOutAreNotFitted) {
  SyntheticRegression problem;
  problem.sigma.setConstant(1e-3);
  problem.truth(3) = 0.0;
  std::mt19937_64 rng(4);
  const Statistics statistics = compress(problem, sampleRows(problem, rng));
  const std::vector<int> columns{0, 1, 2, 4, 5};
  const Estimate estimate = weightedLeastSquares(statistics, columns);
  EXPECT_EQ(estimate.columns, columns);
  for (Eigen::Index i = 0; i < 5; ++i)
    EXPECT_NEAR(estimate.beta(i), problem.truth(columns[i]), 1e-3);
}

TEST(WeightedLeastSquares, ReportsWhatTheLogsDoNotExcite) {
  SyntheticRegression problem;
  std::mt19937_64 rng(5);
  std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  // Column 0 is removed; column 5 equals column 4 (up to rounding) wherever both occur.
  samples[0].col(4) -= problem.truth(0) * samples[0].col(0);
  samples[0].col(0).setZero();
  samples[1].col(4) += problem.truth(5) * (samples[1].col(2) - samples[1].col(3));
  samples[1].col(3) = samples[1].col(2);
  const Statistics statistics = compress(problem, samples);
  const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem));
  EXPECT_EQ(estimate.rank, 4);
  ASSERT_EQ(estimate.unexcited.size(), 2U);
  EXPECT_EQ(estimate.unexcited.front(), 0);
  EXPECT_GE(estimate.unexcited.back(), 4);
  EXPECT_EQ(estimate.beta(estimate.unexcited.front()), 0.0);
  EXPECT_EQ(estimate.beta(estimate.unexcited.back()), 0.0);
  EXPECT_TRUE(std::isinf(conditionNumber(statistics, estimate)));
  // The sum of the two, which is identifiable, is still right.
  EXPECT_NEAR(estimate.beta(4) + estimate.beta(5), problem.truth(4) + problem.truth(5), 0.05);
  EXPECT_NEAR(estimate.beta(1), problem.truth(1), 0.05);
}

TEST(WeightedLeastSquares, WeighsDownABlockThatDoesNotFit) {
  SyntheticRegression problem;
  std::mt19937_64 rng(6);
  std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  samples[1].middleRows(7 * problem.rows, problem.rows).col(4) *= 3.0;
  const Statistics statistics = compress(problem, samples);
  LeastSquaresOptions plain;
  plain.robust = false;
  const Estimate robust = weightedLeastSquares(statistics, allColumns(problem));
  const Estimate naive = weightedLeastSquares(statistics, allColumns(problem), plain);
  EXPECT_LT(robust.block_weights(1, 7), 0.5);
  Eigen::MatrixXd others = robust.block_weights;
  others(1, 7) = 1.0;
  EXPECT_TRUE(others.isOnes(0.0)) << "the other blocks keep their weight";
  EXPECT_TRUE(naive.block_weights.isOnes(0.0));
  EXPECT_LT((robust.beta - problem.truth).norm(), 0.5 * (naive.beta - problem.truth).norm());
  // The corrupted block hardly affects the noise of the channel either.
  EXPECT_LT(robust.sigma(1), 0.5 * naive.sigma(1));
}

TEST(WeightedLeastSquares, StillRowsCountOnlyWhereAskedFor) {
  SyntheticRegression problem;
  problem.sigma.setConstant(1e-6);
  std::mt19937_64 rng(7);
  Statistics statistics = compress(problem, sampleRows(problem, rng));
  SyntheticRegression stuck = problem;  // stiction: other parameters at standstill
  stuck.truth *= 2.0;
  const Statistics standing = compress(stuck, sampleRows(stuck, rng));
  for (size_t a = 0; a < 2; ++a) statistics.channels[a].standstill = standing.channels[a].moving;
  const Estimate without = weightedLeastSquares(statistics, allColumns(problem));
  EXPECT_LT((without.beta - problem.truth).cwiseAbs().maxCoeff(), 1e-5);
  LeastSquaresOptions options;
  options.robust = false;
  // Of rows with weight w that ask for twice the parameters: (1 + 2 w^2) / (1 + w^2)
  for (const auto& [weight, factor] : {std::pair{1.0, 1.5}, std::pair{0.5, 1.2}}) {
    options.standstill_weight = Eigen::Vector2d::Constant(weight);
    const Estimate with = weightedLeastSquares(statistics, allColumns(problem), options);
    EXPECT_EQ(with.rows, 2.0 * without.rows);
    EXPECT_LT((with.beta - factor * problem.truth).norm(), 0.07 * problem.truth.norm()) << weight;
  }
}

TEST(WeightedLeastSquares, SaysWhenThereAreFewerRowsThanParameters) {
  SyntheticRegression problem;
  problem.blocks = 2;
  problem.rows = 1;
  std::mt19937_64 rng(8);
  const Estimate estimate =
      weightedLeastSquares(compress(problem, sampleRows(problem, rng)), allColumns(problem));
  EXPECT_LE(estimate.rank, 4);
  EXPECT_THAT(estimate.reason, HasSubstr("record a longer log"));
  EXPECT_TRUE(estimate.beta.allFinite());
}

TEST(WeightedLeastSquares, ChannelResidualIsTheRootMeanSquareOfTheSamples) {
  SyntheticRegression problem;
  std::mt19937_64 rng(9);
  const std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  const Eigen::VectorXd beta = 0.9 * problem.truth;
  const Eigen::VectorXd residual =
      channelResidual(compress(problem, samples), allColumns(problem), beta);
  for (Eigen::Index a = 0; a < 2; ++a) {
    const Eigen::MatrixXd& X = samples[a];
    Eigen::VectorXd r = X.col(4);
    for (Eigen::Index c = 0; c < 4; ++c) r -= beta(problem.columns[a][c]) * X.col(c);
    const double expected = std::sqrt(r.squaredNorm() / static_cast<double>(X.rows()));
    EXPECT_NEAR(residual(a) / expected, 1.0, 1e-12);
  }
}

TEST(SharedColumns, PairsPositionsOfCommonColumns) {
  ChannelStatistics channel;
  channel.columns = {1, 4, 6, 9};
  EXPECT_THAT(sharedColumns(channel, {0, 4, 5, 6, 10}), ElementsAre(Pair(1, 1), Pair(3, 2)));
  EXPECT_TRUE(sharedColumns(channel, {}).empty());
}

}  // namespace
}  // namespace dynid
