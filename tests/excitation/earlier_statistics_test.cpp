#include "dynid/excitation/earlier_statistics.h"

#include "dynid/excitation/chain.h"
#include "dynid/excitation/criterion.h"
#include "dynid/excitation/forecast.h"

#include <gtest/gtest.h>

#include "three_joint_problem.h"
#include <cmath>

namespace dynid {
namespace {

MotionSamples samplesOfSeries(const SearchProblem& problem, const Eigen::MatrixXd& X) {
  const FourierBasis basis =
      fourierBasis(problem.harmonics, problem.period_s, periodGrid(problem.period_s, 400));
  return {basis.q * X, basis.dq * X, basis.ddq * X};
}

Eigen::MatrixXd bestOf(const SearchProblem& problem) {
  Eigen::MatrixXd best;
  runChain(problem, 0, 1, [&](const Candidate& candidate) {
    best = candidate.X;
    return true;
  });
  return best;
}

Eigen::VectorXd none(const SearchProblem& problem) {
  return Eigen::VectorXd::Zero(problem.robot->numJoints());
}

// A log in which the first joint hardly moves contains little information. A trajectory designed
// with its statistics must give better combined information than one designed without, and
// determine the missing parameters.
TEST(EarlierStatistics, TheNextDesignAddsWhatWasMissing) {
  for (std::uint64_t seed : {1, 2, 3}) {
    SearchProblem problem = threeJointProblem(seed);
    const Eigen::MatrixXd alone = bestOf(problem);
    MotionSamples first = samplesOfSeries(problem, alone);
    for (auto* part : {&first.dq, &first.ddq}) part->col(0) *= 1e-3;
    first.q.col(0).setConstant(problem.limits.middle()(0));
    // Ten times as long as the new motion.
    for (Eigen::Index channel = 0; channel < 3; ++channel) {
      Information one(problem.robot, problem.sought, Eigen::VectorXd::Unit(3, channel));
      problem.earlier.push_back(10.0 * one.matrix(first, none(problem)));
    }
    const Eigen::MatrixXd next = bestOf(problem);
    Information both(problem.robot, problem.sought, problem.weights, problem.earlier);
    const auto value = [&](const Eigen::MatrixXd& X) {
      return evaluateCriterion(
                 Criterion::kD, both.matrix(samplesOfSeries(problem, X), none(problem)), 1.0)
          .value;
    };
    EXPECT_LT(value(next), value(alone) - 0.05) << "seed " << seed;
    const auto known = forecast(problem.robot,
                                problem.sought,
                                samplesOfSeries(problem, next),
                                1.0,
                                problem.weights,
                                problem.earlier);
    for (const ParameterForecast& p : known) {
      EXPECT_TRUE(std::isfinite(p.std_dev)) << p.name;
      EXPECT_LT(p.std_dev, p.std_dev_before) << p.name;
      if (p.name == "joint1.viscous") {  // determined by the new motion only
        EXPECT_LT(p.std_dev, 0.05 * p.std_dev_before);
      }
    }
  }
}

TEST(StandardDeviations, InfiniteWhereADirectionIsUnknown) {
  // Known: x0 + x1 and x2; nothing is known of x3.
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(2, 4);
  W(0, 0) = W(0, 1) = 2.0;
  W(1, 2) = 1e-6;
  const Eigen::VectorXd deviation = standardDeviations(W.transpose() * W);
  EXPECT_TRUE(std::isinf(deviation(0)));
  EXPECT_TRUE(std::isinf(deviation(1)));
  EXPECT_NEAR(deviation(2), 1e6, 1e-6);
  EXPECT_TRUE(std::isinf(deviation(3)));
}

TEST(EarlierStatistics, WhiteNoiseTellsAsMuchASecond) {
  EarlierStatistics earlier;
  earlier.sigma = Eigen::Vector2d(0.1, 0.2);
  earlier.correlation = 4.0;
  earlier.rate_hz = 50.0;
  // 50 rows per second of which four count as one, compared with 200 independent ones.
  const Eigen::VectorXd noise = earlier.whiteNoise(200.0);
  EXPECT_NEAR(200.0 / (noise(0) * noise(0)), 50.0 / 4.0 / (0.1 * 0.1), 1e-9);
  EXPECT_NEAR(noise(1), 2.0 * noise(0), 1e-15);
}

}  // namespace
}  // namespace dynid
