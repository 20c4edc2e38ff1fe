#include "dynid/signals/resample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd unevenTimes(Index n) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> step(0.2, 1.8);
  VectorXd t(n);
  t(0) = 0.0;
  for (Index k = 1; k < n; ++k) t(k) = t(k - 1) + 0.1 * step(generator);
  return t;
}

MatrixXd valuesOf(const VectorXd& t, double (*f)(double)) { return t.unaryExpr(f); }

TEST(Resample, CubicsAreReproducedOnUnevenKnots) {
  const auto cubic = [](double t) { return 1.0 - t + 0.5 * t * t - 0.3 * t * t * t; };
  for (const Index n : {4, 5, 6, 40}) {
    const VectorXd t = unevenTimes(n), at = VectorXd::LinSpaced(77, t(0), t(n - 1));
    EXPECT_LT((splineAt(t, valuesOf(t, cubic), at) - valuesOf(at, cubic)).cwiseAbs().maxCoeff(),
              1e-11)
        << n << " knots";
  }
}

TEST(Resample, FewKnotsGiveThePolynomialThroughThem) {
  const VectorXd at = VectorXd::LinSpaced(5, -0.5, 1.5);
  VectorXd t(3), y(3);
  t << 0.0, 0.4, 1.0;
  y = t.array().square();
  EXPECT_LT((splineAt(t, y, at) - MatrixXd(at.array().square())).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((splineAt(t.head(2), t.head(2), at) - MatrixXd(at)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_TRUE(splineAt(t.head(1), MatrixXd::Constant(1, 1, 3.0), at).isApproxToConstant(3.0));
}

TEST(Resample, GoesThroughTheKnotsAndConvergesInTheFourthPower) {
  const auto wave = [](double t) { return std::sin(2.0 * t); };
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    const Index n = i == 0 ? 101 : 201;
    const VectorXd t = VectorXd::LinSpaced(n, 0.0, 10.0);
    const MatrixXd y = valuesOf(t, wave);
    EXPECT_LT((splineAt(t, y, t) - y).cwiseAbs().maxCoeff(), 1e-15);
    const VectorXd at = VectorXd::LinSpaced(997, 1.0, 9.0);
    errors[i] = (splineAt(t, y, at) - valuesOf(at, wave)).cwiseAbs().maxCoeff();
  }
  EXPECT_NEAR(errors[0] / errors[1], 16.0, 1.0);
}

TEST(Resample, AWindowWithThirtyKnotsOfMarginEqualsTheWhole) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  const VectorXd t = VectorXd::LinSpaced(400, 0.0, 399.0);
  const MatrixXd y = MatrixXd::NullaryExpr(400, 2, [&] { return normal(generator); });
  const VectorXd at = VectorXd::LinSpaced(300, 150.0, 250.0);
  const MatrixXd whole = splineAt(t, y, at);
  const MatrixXd window = splineAt(t.segment(120, 161), y.middleRows(120, 161), at);
  EXPECT_LT((whole - window).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Resample, RefusesKnotsOutOfOrder) {
  VectorXd t(4);
  t << 0.0, 1.0, 1.0, 2.0;
  EXPECT_THAT([&] { splineAt(t, MatrixXd::Zero(4, 1), t); },
              testing::ThrowsMessage<std::invalid_argument>(
                  "knot 2 is not after knot 1; expected increasing times"));
  EXPECT_THAT(
      [&] { splineAt(t, MatrixXd::Zero(3, 1), t); },
      testing::ThrowsMessage<std::invalid_argument>(testing::HasSubstr("4 knots and 3 rows")));
}

}  // namespace
}  // namespace dynid
