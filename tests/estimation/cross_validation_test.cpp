#include "dynid/estimation/cross_validation.h"

#include <Eigen/QR>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "estimation/synthetic_regression.h"
#include <stdexcept>

namespace dynid {
namespace {

// Solutions must satisfy the Karush-Kuhn-Tucker conditions, which determine the optimum of a convex
// problem: with g = X^T (X b - y), g = 0 where b is free or positive, and g >= 0 where b = 0.
void expectOptimal(const Eigen::MatrixXd& gram, const std::vector<bool>& nonnegative) {
  const Eigen::VectorXd b = nonnegativeFromGram(gram, nonnegative);
  const Eigen::Index p = b.size();
  const Eigen::VectorXd g = gram.topLeftCorner(p, p) * b - gram.topRightCorner(p, 1);
  for (Eigen::Index k = 0; k < p; ++k) {
    const double tolerance = 1e-6 * std::sqrt(gram(k, k) * gram(p, p));
    const bool bounded = nonnegative[k];
    if (bounded) {
      EXPECT_GE(b(k), 0.0);
    }
    if (bounded && b(k) == 0.0) {
      EXPECT_GT(g(k), -tolerance) << "parameter " << k << " should not be zero";
    } else {
      EXPECT_NEAR(g(k), 0.0, tolerance) << "parameter " << k;
    }
  }
}

TEST(NonnegativeFromGram, IsTheOptimum) {
  std::mt19937_64 rng(1);
  std::normal_distribution<double> normal;
  for (int problem = 0; problem < 300; ++problem) {
    const Eigen::Index p = 1 + problem % 6;
    Eigen::MatrixXd X = Eigen::MatrixXd::NullaryExpr(p + 4, p + 1, [&] { return normal(rng); });
    // Friction columns are correlated: add a common part.
    X.leftCols(p).colwise() += 1.5 * X.col(0);
    std::vector<bool> nonnegative;
    for (Eigen::Index k = 0; k < p; ++k) nonnegative.push_back(normal(rng) > -0.5);
    SCOPED_TRACE("problem " + std::to_string(problem));
    expectOptimal(X.transpose() * X, nonnegative);
  }
}

TEST(NonnegativeFromGram, WithoutBoundsItIsLeastSquares) {
  std::mt19937_64 rng(2);
  std::normal_distribution<double> normal;
  const Eigen::MatrixXd X = Eigen::MatrixXd::NullaryExpr(20, 5, [&] { return normal(rng); });
  const Eigen::VectorXd b = nonnegativeFromGram(X.transpose() * X, {false, false, false, false});
  const Eigen::VectorXd expected = X.leftCols(4).householderQr().solve(X.col(4));
  EXPECT_LT((b - expected).norm(), 1e-7 * expected.norm());
}

TEST(NonnegativeFromGram, AColumnWithoutLengthGetsZero) {
  Eigen::MatrixXd X(4, 3);
  X << 1, 0, 2, 1, 0, 2, -1, 0, -2, 0, 0, 0;
  const Eigen::VectorXd b = nonnegativeFromGram(X.transpose() * X, {true, true});
  EXPECT_NEAR(b(0), 2.0, 1e-7);
  EXPECT_EQ(b(1), 0.0);
}

TEST(BoundedFromGram, MeetsItsRowsAtTheLeastError) {
  // c + q v^2 decreases for speeds up to one; at three it must not be negative: c + 9 q >= 0.
  Eigen::MatrixXd X(101, 3);
  for (Eigen::Index i = 0; i <= 100; ++i) {
    const double v = 0.01 * static_cast<double>(i);
    X.row(i) << 1.0, v * v, 1.0 - 0.7 * v * v;
  }
  const Eigen::MatrixXd gram = X.transpose() * X;
  const Eigen::MatrixXd rows{{1.0, 1.0}, {1.0, 4.0}, {1.0, 9.0}};
  const Eigen::VectorXd free = boundedFromGram(gram, {true, false}, {});
  EXPECT_NEAR(free(1), -0.7, 1e-6);
  const Eigen::VectorXd b = boundedFromGram(gram, {true, false}, rows);
  const Eigen::VectorXd shape = X.col(0) - X.col(1) / 9.0;
  const double c = shape.dot(X.col(2)) / shape.squaredNorm();
  EXPECT_NEAR(b(0), c, 1e-5);
  EXPECT_NEAR(b(1), -c / 9.0, 1e-5);
  EXPECT_GE((rows * b).minCoeff(), -1e-5);
}

class ChannelValidationTest : public testing::Test {
 protected:
  ChannelValidationTest() {
    problem_.sigma.setConstant(0.05);
    problem_.blocks = 12;
    std::mt19937_64 rng(3);
    samples_ = sampleRows(problem_, rng);
    statistics_ = compress(problem_, samples_);
  }

  // Target of channel 1: effort minus the held columns 2 and 3, which are the first of the channel.
  Eigen::VectorXd target(const Eigen::VectorXd& held) const {
    const Eigen::MatrixXd& X = samples_[1];
    return X.col(4) - held(2) * X.col(0) - held(3) * X.col(1);
  }

  SyntheticRegression problem_;
  std::vector<Eigen::MatrixXd> samples_;
  Statistics statistics_;
};

TEST_F(ChannelValidationTest, IsTheHeldOutErrorOfEveryFold) {
  Eigen::VectorXd held = problem_.truth;
  held(2) += 0.1;
  held(4) = held(5) = 1e6;  // own columns: ignored
  const ChannelValidation validation(statistics_, 1, held, {4, 5}, validationFolds(statistics_, 4));
  const ChannelValidation::Score score = validation.score({4, 5}, {false, false}, false);
  ASSERT_EQ(score.squared.size(), 4);
  const Eigen::Index fold = 3 * problem_.rows;
  for (Eigen::Index f = 0; f < 4; ++f) {
    Eigen::MatrixXd rows(samples_[1].rows(), 3);
    rows << samples_[1].middleCols(2, 2), target(held);
    Eigen::MatrixXd train(rows.rows() - fold, 3);
    train << rows.topRows(f * fold), rows.bottomRows((3 - f) * fold);
    const Eigen::VectorXd b = train.leftCols(2).householderQr().solve(train.col(2));
    const Eigen::MatrixXd out = rows.middleRows(f * fold, fold);
    const double expected = (out.leftCols(2) * b - out.col(2)).squaredNorm();
    EXPECT_NEAR(score.squared(f) / expected, 1.0, 1e-6);
  }
  EXPECT_NEAR(score.total(), score.squared.sum(), 1e-12);
}

TEST_F(ChannelValidationTest, ANeededColumnLowersTheErrorAndAnIdleOneDoesNot) {
  const ChannelValidation validation(
      statistics_, 1, problem_.truth, {4, 5}, validationFolds(statistics_, 6));
  const double none = validation.score({}, {}, false).total();
  const double small = validation.score({4}, {false}, false).total();  // true value -0.2
  const double large = validation.score({5}, {true}, false).total();   // true value 10
  const double both = validation.score({4, 5}, {false, true}, false).total();
  EXPECT_LT(large, 0.01 * none);
  EXPECT_LT(both, 0.5 * large);
  EXPECT_GT(small, 0.9 * none);
  // With the bound >= 0 the first column cannot have its value of -0.2 and gets zero.
  EXPECT_NEAR(validation.score({4, 5}, {true, true}, false).total() / large, 1.0, 1e-6);
}

TEST_F(ChannelValidationTest, StillRowsAlwaysJudgeButFitOnlyWhereAskedFor) {
  SyntheticRegression stuck = problem_;
  stuck.truth(5) = 5.0;
  std::mt19937_64 rng(4);
  const Statistics standing = compress(stuck, sampleRows(stuck, rng));
  const ChannelValidation moving_only(
      statistics_, 1, problem_.truth, {4, 5}, validationFolds(statistics_, 4));
  Statistics statistics = statistics_;
  statistics.channels[1].standstill = standing.channels[1].moving;
  const ChannelValidation validation(
      statistics, 1, problem_.truth, {4, 5}, validationFolds(statistics_, 4));
  const std::vector<bool> free{false, false};
  const double judged = validation.score({4, 5}, free, false).total();
  EXPECT_GT(judged, 100.0 * moving_only.score({4, 5}, free, false).total());
  // A fit to both halves has half the error in each of them, so half the squared error in total.
  EXPECT_NEAR(validation.score({4, 5}, free, true).total() / judged, 0.5, 0.05);
}

TEST_F(ChannelValidationTest, FoldsAreAtLeastTwoAndAtMostTheBlocks) {
  const auto folds = [&](int asked) {
    return ChannelValidation(
               statistics_, 1, problem_.truth, {4}, validationFolds(statistics_, asked))
        .score({4}, {false}, false)
        .squared.size();
  };
  EXPECT_EQ(folds(1), 2);
  EXPECT_EQ(folds(5), 5);
  EXPECT_EQ(folds(1000), 12);
}

TEST_F(ChannelValidationTest, RefusesAColumnThatIsNotTheChannelsOwn) {
  const ChannelValidation validation(
      statistics_, 1, problem_.truth, {4, 5}, validationFolds(statistics_, 4));
  try {
    validation.score({2}, {false}, false);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("column 2 is not a column of this channel"));
  }
}

}  // namespace
}  // namespace dynid
