#include "dynid/signals/differentiate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

MatrixXd secondDerivative(const MatrixXd& x, double dt) {
  MatrixXd first(x.rows(), x.cols()), second(x.rows(), x.cols());
  differentiate(x, dt, first, second);
  return second;
}

TEST(Differentiate, PolynomialsOfDegreeSixAreExactToTheEnds) {
  const double dt = 0.1;
  MatrixXd x(20, 1), first(20, 1), second(20, 1);
  for (Index k = 0; k < 20; ++k) {
    const double t = dt * static_cast<double>(k) - 1.0;
    x(k, 0) = 1.0 + t + std::pow(t, 4) - 0.5 * std::pow(t, 6);
    first(k, 0) = 1.0 + 4.0 * std::pow(t, 3) - 3.0 * std::pow(t, 5);
    second(k, 0) = 12.0 * t * t - 15.0 * std::pow(t, 4);
  }
  EXPECT_LT((firstDerivative(x, dt) - first).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((secondDerivative(x, dt) - second).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Differentiate, SinesTakeTheStatedTransferFunction) {
  const double dt = 0.01, w = 60.0;
  MatrixXd x(400, 1), dx(400, 1);
  for (Index k = 0; k < 400; ++k) {
    x(k, 0) = std::sin(w * dt * static_cast<double>(k));
    dx(k, 0) = w * std::cos(w * dt * static_cast<double>(k));
  }
  const double a = w * dt;
  const double gain = (45.0 * std::sin(a) - 9.0 * std::sin(2 * a) + std::sin(3 * a)) / (30.0 * a);
  EXPECT_NEAR(gain, 1.0 - std::pow(a, 6) / 140.0, 1e-4);
  const double gain2 =
      (490.0 - 540.0 * std::cos(a) + 54.0 * std::cos(2 * a) - 4.0 * std::cos(3 * a)) /
      (180.0 * a * a);
  EXPECT_NEAR(gain2, 1.0 - std::pow(a, 6) / 560.0, 1e-4);
  const auto inside = [](const MatrixXd& m) { return m.middleRows(3, 394); };
  EXPECT_LT((inside(firstDerivative(x, dt)) - gain * inside(dx)).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((inside(secondDerivative(x, dt)) + gain2 * w * w * inside(x)).cwiseAbs().maxCoeff(),
            1e-8);
}

TEST(Differentiate, ShortSignalsUseThePolynomialThroughThem) {
  MatrixXd line(2, 1), parabola(3, 1), even(4, 1);
  line << 1.0, 3.0;
  parabola << 0.0, 1.0, 4.0;
  even << 0.0, 1.0, 4.0, 9.0;
  EXPECT_TRUE(firstDerivative(line, 1.0).isApproxToConstant(2.0, 1e-14));
  EXPECT_TRUE(secondDerivative(line, 1.0).isZero());
  EXPECT_TRUE(secondDerivative(parabola, 1.0).isApproxToConstant(2.0, 1e-13));
  EXPECT_TRUE(secondDerivative(even, 1.0).isApproxToConstant(2.0, 1e-13));
  EXPECT_TRUE(firstDerivative(MatrixXd::Ones(1, 2), 1.0).isZero());
  EXPECT_EQ(firstDerivative(MatrixXd(0, 3), 1.0).cols(), 3);
}

TEST(Differentiate, RefusesAStepThatIsNotPositiveAndResultsThatDoNotFit) {
  EXPECT_THAT(
      [] { firstDerivative(MatrixXd::Ones(9, 1), 0.0); },
      testing::ThrowsMessage<std::invalid_argument>("the step is 0 s; expected a positive one"));
  MatrixXd first(9, 1), second(8, 1);
  EXPECT_THROW(differentiate(MatrixXd::Ones(9, 1), 0.1, first, second), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
