#include "dynid/estimation/covariance.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <gtest/gtest.h>

#include "estimation/synthetic_regression.h"
#include <cmath>

namespace dynid {
namespace {

// Statistics over many logs of the same problem: variance of the estimates, mean of the stated
// variances, mean of the textbook variances s^2 (X^T X)^-1, and the fraction of 95 % intervals that
// contain the truth.
struct ManyLogs {
  Eigen::VectorXd true_variance, stated, textbook, coverage;
};

ManyLogs simulateLogs(const SyntheticRegression& problem, int logs, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  const std::vector<int> columns = allColumns(problem);
  const Eigen::Index p = problem.truth.size();
  ManyLogs many{Eigen::VectorXd::Zero(p),
                Eigen::VectorXd::Zero(p),
                Eigen::VectorXd::Zero(p),
                Eigen::VectorXd::Zero(p)};
  const LeastSquaresOptions options;
  for (int i = 0; i < logs; ++i) {
    const Statistics statistics = compress(problem, sampleRows(problem, rng));
    const Estimate estimate = weightedLeastSquares(statistics, columns, options);
    const Covariance covariance = jackknifeCovariance(statistics, estimate);
    const Eigen::ArrayXd error = (estimate.beta - problem.truth).array().abs();
    many.true_variance += error.square().matrix() / logs;
    many.stated += covariance.std_dev.cwiseAbs2() / logs;
    many.textbook += (estimate.R.transpose() * estimate.R).inverse().diagonal() / logs;
    many.coverage += (error <= covariance.half_width.array()).cast<double>().matrix() / logs;
  }
  return many;
}

TEST(JackknifeCovariance, IsTheTextbooksForWhiteNoise) {
  SyntheticRegression problem;
  problem.sigma = Eigen::Vector2d(0.1, 2.0);
  problem.blocks = 40;
  const ManyLogs many = simulateLogs(problem, 150, 1);
  // 150 logs with 39 degrees of freedom each: the mean of the variances has a standard deviation of
  // 2 %.
  for (Eigen::Index k = 0; k < 6; ++k)
    EXPECT_NEAR(many.stated(k) / many.textbook(k), 1.0, 0.08) << "parameter " << k;
}

TEST(JackknifeCovariance, KnowsAboutCorrelatedNoise) {
  SyntheticRegression problem;
  problem.blocks = 40;
  problem.rows = 100;
  problem.smoothness = 0.8;
  problem.correlation = 0.8;
  const ManyLogs many = simulateLogs(problem, 300, 2);
  for (Eigen::Index k = 0; k < 6; ++k) {
    // Neighbouring rows are correlated: the variance is sum of 0.64^|k| = 4.6 times that for white
    // noise.
    EXPECT_GT(many.stated(k), 3.5 * many.textbook(k)) << "parameter " << k;
    // The Monte Carlo variance has a standard deviation of sqrt(2/300) = 8 %.
    EXPECT_NEAR(many.stated(k) / many.true_variance(k), 1.0, 0.25) << "parameter " << k;
  }
}

TEST(JackknifeCovariance, IntervalsHoldTheTruthAsOftenAsTheySay) {
  for (const double correlation : {0.0, 0.8}) {
    SyntheticRegression problem;
    problem.sigma = Eigen::Vector2d(0.1, 2.0);
    problem.blocks = 40;
    problem.smoothness = problem.correlation = correlation;
    const ManyLogs many = simulateLogs(problem, 300, 3);
    // 300 logs: the fraction for one parameter has a standard deviation of 1.3 %, the mean of six
    // about 0.6 %.
    EXPECT_GT(many.coverage.minCoeff(), 0.95 - 4 * 0.0126) << "correlation " << correlation;
    EXPECT_NEAR(many.coverage.mean(), 0.95, 0.02) << "correlation " << correlation;
  }
}

// (1 - H)^(-1/2) on the rows of one block.
Eigen::MatrixXd inverseRoot(const Eigen::MatrixXd& H) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
      Eigen::MatrixXd::Identity(H.rows(), H.cols()) - H);
  return eigen.operatorInverseSqrt();
}

TEST(JackknifeCovariance, IsTheFormulaOnAllRows) {
  SyntheticRegression problem;
  problem.blocks = 12;
  problem.smoothness = problem.correlation = 0.7;
  std::mt19937_64 rng(4);
  const std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  const Statistics statistics = compress(problem, samples);
  LeastSquaresOptions options;
  options.robust = false;
  const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem), options);
  const Covariance covariance = jackknifeCovariance(statistics, estimate);

  const Eigen::MatrixXd stack = whitenedRows(problem, samples, estimate.sigma);
  const Eigen::MatrixXd inverse = (stack.leftCols(6).transpose() * stack.leftCols(6)).inverse();
  const Eigen::Index all = problem.blocks * problem.rows;
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(6, 6);
  std::vector<Eigen::MatrixXd> adjusted;  // rows that transform the residuals of all rows to d_b
  for (int b = 0; b < problem.blocks; ++b) {
    std::vector<Eigen::Index> rows;
    for (Eigen::Index channel = 0; channel < 2; ++channel)
      for (Eigen::Index i = 0; i < problem.rows; ++i)
        rows.push_back(channel * all + b * problem.rows + i);
    const Eigen::MatrixXd X = stack(rows, Eigen::seqN(0, 6));
    const Eigen::VectorXd e = stack(rows, 6) - X * estimate.beta;
    const Eigen::MatrixXd map = inverse * X.transpose() * inverseRoot(X * inverse * X.transpose());
    const Eigen::VectorXd d = map * e;
    expected += d * d.transpose();
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(6, stack.rows());
    whole(Eigen::all, rows) = map;
    adjusted.push_back(whole - whole * stack.leftCols(6) * inverse * stack.leftCols(6).transpose());
  }
  EXPECT_LT((covariance.matrix - expected).norm(), 1e-8 * expected.norm());
  EXPECT_LT((covariance.std_dev - expected.diagonal().cwiseSqrt()).norm(),
            1e-8 * covariance.std_dev.norm());
  // Degrees of freedom from the variances of the quadratic form under white noise.
  for (Eigen::Index k = 0; k < 6; ++k) {
    Eigen::MatrixXd omega(problem.blocks, problem.blocks);
    for (Eigen::Index b = 0; b < problem.blocks; ++b)
      for (Eigen::Index c = 0; c < problem.blocks; ++c)
        omega(b, c) = adjusted[b].row(k).dot(adjusted[c].row(k));
    const double expected_freedom = omega.trace() * omega.trace() / omega.squaredNorm();
    EXPECT_NEAR(covariance.degrees_of_freedom(k) / expected_freedom, 1.0, 1e-8);
    EXPECT_NEAR(omega.trace() / inverse(k, k), 1.0, 1e-8) << "unbiased under white noise";
    EXPECT_GT(covariance.half_width(k), 1.96 * covariance.std_dev(k));
  }
}

// Blocks whose regressor and model error repeat those ten blocks before: an error that depends on
// the motion.
Statistics repeatedMotion(const SyntheticRegression& problem, std::mt19937_64& rng) {
  SyntheticRegression once = problem;
  once.blocks = 10;
  std::vector<Eigen::MatrixXd> samples = sampleRows(once, rng);
  for (Eigen::MatrixXd& X : samples) X = X.replicate(problem.blocks / once.blocks, 1).eval();
  std::normal_distribution<double> normal;
  for (Eigen::MatrixXd& X : samples)
    for (double& effort : X.col(X.cols() - 1)) effort += 1e-3 * normal(rng);
  return compress(problem, samples);
}

TEST(JackknifeCovariance, KnowsThatErrorsRepeatWithTheMotion) {
  SyntheticRegression problem;
  problem.blocks = 40;
  std::mt19937_64 rng(8);
  BlockClusters in_phase;
  for (int b = 0; b < problem.blocks; ++b) {
    in_phase.time.push_back(b);
    in_phase.phase.push_back(b % 10);
  }
  Eigen::VectorXd true_variance = Eigen::VectorXd::Zero(6), time = true_variance,
                  phase = true_variance;
  constexpr int kLogs = 100;
  for (int i = 0; i < kLogs; ++i) {
    const Statistics statistics = repeatedMotion(problem, rng);
    const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem));
    true_variance += (estimate.beta - problem.truth).cwiseAbs2() / kLogs;
    time += jackknifeCovariance(statistics, estimate).std_dev.cwiseAbs2() / kLogs;
    phase += jackknifeCovariance(statistics, estimate, in_phase).std_dev.cwiseAbs2() / kLogs;
  }
  // Four repetitions of the same error: with blocks in time the variance is four times too small.
  for (Eigen::Index k = 0; k < 6; ++k) EXPECT_LT(time(k), 0.5 * true_variance(k)) << k;
  EXPECT_NEAR((phase.array() / true_variance.array()).mean(), 1.0, 0.25);
}

TEST(JackknifeCovariance, DoesNotDependOnTheNumberOfThreads) {
  SyntheticRegression problem;
  std::mt19937_64 rng(10);
  const Statistics statistics = compress(problem, sampleRows(problem, rng));
  const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem));
  EXPECT_EQ(jackknifeCovariance(statistics, estimate, {}, 1).matrix,
            jackknifeCovariance(statistics, estimate, {}, 3).matrix);
}

TEST(JackknifeCovariance, HasALabelForEveryBlock) {
  SyntheticRegression problem;
  std::mt19937_64 rng(9);
  const Statistics statistics = compress(problem, sampleRows(problem, rng));
  const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem));
  BlockClusters clusters;
  clusters.time = {0, 1};
  EXPECT_THROW(jackknifeCovariance(statistics, estimate, clusters), std::invalid_argument);
}

TEST(JackknifeCovariance, HasNoneForWhatOneBlockDetermines) {
  SyntheticRegression problem;
  std::mt19937_64 rng(7);
  std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  Eigen::MatrixXd& X = samples[0];
  for (Eigen::Index i = problem.rows; i < X.rows(); ++i) {
    X(i, 4) -= problem.truth(0) * X(i, 0);
    X(i, 0) = 0.0;
  }
  const Statistics statistics = compress(problem, samples);
  const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem));
  EXPECT_TRUE(estimate.unexcited.empty());
  const Covariance covariance = jackknifeCovariance(statistics, estimate);
  EXPECT_TRUE(std::isinf(covariance.std_dev(0)));
  EXPECT_TRUE(std::isinf(covariance.half_width(0)));
  EXPECT_TRUE(covariance.std_dev.tail(5).allFinite());
}

TEST(JackknifeCovariance, HasNoneForWhatTheLogsDoNotExcite) {
  SyntheticRegression problem;
  std::mt19937_64 rng(5);
  std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  samples[0].col(4) -= problem.truth(0) * samples[0].col(0);
  samples[0].col(0).setZero();
  const Statistics statistics = compress(problem, samples);
  const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem));
  const Covariance covariance = jackknifeCovariance(statistics, estimate);
  EXPECT_TRUE(std::isinf(covariance.std_dev(0)));
  EXPECT_TRUE(covariance.matrix.row(0).isZero(0.0));
  EXPECT_TRUE(covariance.matrix.col(0).isZero(0.0));
  EXPECT_TRUE(covariance.std_dev.tail(5).allFinite());
}

// The logs determine the sum of two parameters, but not the share of each.
TEST(JackknifeCovariance, HasNoneForPartsOfACombination) {
  SyntheticRegression problem;
  std::mt19937_64 rng(5);
  std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  Eigen::MatrixXd& X = samples[1];  // of the parameters 2 to 5
  X.col(4) += problem.truth(5) * (X.col(2) - X.col(3));
  X.col(3) = X.col(2);
  const Statistics statistics = compress(problem, samples);
  const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem));
  const Covariance covariance = jackknifeCovariance(statistics, estimate);
  const Eigen::VectorXd white = whiteNoiseStdDev(estimate);
  for (const int part : {4, 5}) {
    EXPECT_TRUE(std::isinf(covariance.std_dev(part))) << part;
    EXPECT_TRUE(std::isinf(covariance.half_width(part))) << part;
    EXPECT_TRUE(std::isinf(white(part))) << part;
  }
  EXPECT_TRUE(covariance.half_width.head(4).allFinite());
  EXPECT_TRUE(white.head(4).allFinite());
  // The matrix holds the variance of the sum.
  EXPECT_GT(covariance.matrix(4, 4) + covariance.matrix(5, 5), 0.0);
}

TEST(WhiteNoiseStdDev, IsTheTextbooksAndInfiniteForWhatTheLogsDoNotExcite) {
  const SyntheticRegression problem;
  std::mt19937_64 rng(3);
  const Statistics statistics = compress(problem, sampleRows(problem, rng));
  Estimate estimate = weightedLeastSquares(statistics, allColumns(problem));
  const Eigen::MatrixXd G = estimate.R.transpose() * estimate.R;
  EXPECT_LT((whiteNoiseStdDev(estimate) - G.inverse().diagonal().cwiseSqrt()).norm(),
            1e-9 * whiteNoiseStdDev(estimate).norm());
  const std::vector<int> others{0, 1, 3, 4, 5};
  estimate.unexcited = {2};
  EXPECT_TRUE(std::isinf(whiteNoiseStdDev(estimate)(2)));
  EXPECT_LT(
      (whiteNoiseStdDev(estimate)(others) - G(others, others).inverse().diagonal().cwiseSqrt())
          .norm(),
      1e-9 * whiteNoiseStdDev(estimate)(others).norm());
}

TEST(JackknifeCovariance, HasNoneForOneBlock) {
  SyntheticRegression problem;
  problem.blocks = 1;
  std::mt19937_64 rng(6);
  const Statistics statistics = compress(problem, sampleRows(problem, rng));
  const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem));
  const Covariance covariance = jackknifeCovariance(statistics, estimate);
  for (double std_dev : covariance.std_dev) EXPECT_TRUE(std::isinf(std_dev));
}

// A factor on the effort of a channel changes the estimate by the contribution of that channel.
TEST(EffortContributions, AreTheDerivativesOfTheEstimate) {
  SyntheticRegression problem;
  problem.sigma = Eigen::Vector2d(0.1, 2.0);
  std::mt19937_64 rng(5);
  std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
  const std::vector<int> columns = allColumns(problem);
  const Estimate estimate = weightedLeastSquares(compress(problem, samples), columns);
  const Eigen::MatrixXd contributions = effortContributions(estimate);
  EXPECT_TRUE(contributions.rowwise().sum().isApprox(estimate.beta, 1e-9));
  LeastSquaresOptions same_weights;
  same_weights.weight_passes = 0;
  same_weights.sigma = estimate.sigma;
  same_weights.block_weights = estimate.block_weights;
  samples[1].rightCols<1>() *= 1.1;
  const Estimate scaled = weightedLeastSquares(compress(problem, samples), columns, same_weights);
  EXPECT_TRUE((scaled.beta - estimate.beta).isApprox(0.1 * contributions.col(1), 1e-9));
}

// A factor with a standard deviation of 5 % on the effort of one channel moves the estimate of
// every log further than its noise.
TEST(EffortFactors, AreIncludedInTheIntervals) {
  SyntheticRegression problem;
  std::mt19937_64 rng(6);
  std::normal_distribution<double> normal;
  constexpr int kLogs = 300;
  constexpr double kStdDev = 0.05;
  EffortFactors factors{Eigen::Matrix2d::Zero(), 1e4};
  factors.log_covariance(1, 1) = kStdDev * kStdDev;
  Eigen::VectorXd with = Eigen::VectorXd::Zero(6), without = with, z_squared = with;
  for (int log = 0; log < kLogs; ++log) {
    std::vector<Eigen::MatrixXd> samples = sampleRows(problem, rng);
    samples[1].rightCols<1>() *= std::exp(kStdDev * normal(rng));
    const Statistics statistics = compress(problem, samples);
    const Estimate estimate = weightedLeastSquares(statistics, allColumns(problem));
    Covariance covariance = jackknifeCovariance(statistics, estimate);
    const Eigen::ArrayXd error = (estimate.beta - problem.truth).array().abs();
    without += (error <= covariance.half_width.array()).cast<double>().matrix() / kLogs;
    addEffortFactors(estimate, factors, covariance);
    with += (error <= covariance.half_width.array()).cast<double>().matrix() / kLogs;
    z_squared += (error / covariance.std_dev.array()).square().matrix() / kLogs;
    EXPECT_TRUE(covariance.matrix.diagonal().isApprox(covariance.std_dev.cwiseAbs2(), 1e-9));
  }
  EXPECT_LT(without(5), 0.5);
  // 300 logs: standard deviations of 0.013 of a coverage of 0.95, and of 8 % of a variance
  EXPECT_GT(with.minCoeff(), 0.91);
  EXPECT_LT(z_squared.maxCoeff(), 1.35);
}

}  // namespace
}  // namespace dynid
