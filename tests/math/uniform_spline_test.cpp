#include "dynid/math/uniform_spline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(UniformSpline, CardinalSplineInClosedForm) {
  // The quintic cardinal B-spline at its knots: 1, 26, 66, 26, 1 over 120; its first derivative
  // 1, 10, 0, -10, -1 over 24; its second 1, 2, -6, 2, 1 over 6.
  const UniformSpline spline(2.0, 0.5, 8);
  const UniformSpline::Basis basis = spline.at(3.0);  // on a knot
  EXPECT_EQ(basis.first, 2);
  const double values[] = {1.0, 26.0, 66.0, 26.0, 1.0, 0.0};
  const double firsts[] = {-1.0, -10.0, 0.0, 10.0, 1.0, 0.0};
  const double seconds[] = {1.0, 2.0, -6.0, 2.0, 1.0, 0.0};
  for (std::size_t j = 0; j < 6; ++j) {
    EXPECT_NEAR(basis.value[j], values[j] / 120.0, 1e-15) << j;
    EXPECT_NEAR(basis.first_derivative[j], firsts[j] / 24.0 / 0.5, 1e-14) << j;
    EXPECT_NEAR(basis.second_derivative[j], seconds[j] / 6.0 / 0.25, 1e-13) << j;
  }
}

TEST(UniformSpline, QuinticPolynomialsAreReproducedWithTheirDerivatives) {
  const auto x = [](double t) { return 1.0 - 2.0 * t + 0.3 * t * t * t - 0.1 * std::pow(t, 5); };
  const auto dx = [](double t) { return -2.0 + 0.9 * t * t - 0.5 * std::pow(t, 4); };
  const auto ddx = [](double t) { return 1.8 * t - 2.0 * std::pow(t, 3); };
  const UniformSpline spline(-1.0, 0.25, 8);
  const VectorXd samples = VectorXd::LinSpaced(301, -1.0, 1.0);
  const MatrixXd c = fitSpline(spline, samples, samples.unaryExpr(x));
  const VectorXd at = VectorXd::LinSpaced(97, -1.0, 1.0);
  const SplineMotion motion = evaluate(spline, c, at);
  for (Index k = 0; k < at.size(); ++k) {
    EXPECT_NEAR(motion.value(k, 0), x(at(k)), 1e-8);
    EXPECT_NEAR(motion.first(k, 0), dx(at(k)), 1e-6);
    EXPECT_NEAR(motion.second(k, 0), ddx(at(k)), 1e-4);
  }
}

TEST(UniformSpline, DerivativesAreThoseOfTheValues) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  const UniformSpline spline(0.0, 0.1, 20);
  const MatrixXd c =
      MatrixXd::NullaryExpr(spline.numCoefficients(), 2, [&] { return normal(generator); });
  const double step = 1e-4;
  for (const double t : {0.013, 0.5, 0.77, 1.99}) {
    const SplineMotion motion = evaluate(spline, c, Eigen::Vector3d(t - step, t, t + step));
    for (Index j = 0; j < 2; ++j) {
      EXPECT_NEAR(
          (motion.value(2, j) - motion.value(0, j)) / (2.0 * step), motion.first(1, j), 1e-2);
      EXPECT_NEAR(
          (motion.first(2, j) - motion.first(0, j)) / (2.0 * step), motion.second(1, j), 1.0);
    }
  }
}

TEST(UniformSpline, TheFitIsTheProjectionOntoTheSplines) {
  // Residuals of least squares are orthogonal to every spline.
  std::mt19937 generator(2);
  std::normal_distribution<double> normal;
  const UniformSpline spline(0.0, 0.2, 25);
  const VectorXd t = VectorXd::LinSpaced(400, 0.0, 5.0);
  const MatrixXd y = MatrixXd::NullaryExpr(400, 3, [&] { return normal(generator); });
  const MatrixXd residual = y - evaluate(spline, fitSpline(spline, t, y), t).value;
  MatrixXd product = MatrixXd::Zero(spline.numCoefficients(), 3);
  for (Index k = 0; k < t.size(); ++k) {
    const UniformSpline::Basis basis = spline.at(t(k));
    for (std::size_t a = 0; a < 6; ++a)
      product.row(basis.first + static_cast<Index>(a)) += basis.value[a] * residual.row(k);
  }
  EXPECT_LT(product.cwiseAbs().maxCoeff(), 1e-6);
}

TEST(UniformSpline, BadShapesAreNamed) {
  EXPECT_THROW(UniformSpline(0.0, 0.0, 3), std::invalid_argument);
  EXPECT_THROW(UniformSpline(0.0, 1.0, 0), std::invalid_argument);
  const UniformSpline spline(0.0, 1.0, 3);
  EXPECT_THROW(fitSpline(spline, VectorXd::Zero(3), MatrixXd::Zero(4, 1)), std::invalid_argument);
  EXPECT_THROW(evaluate(spline, MatrixXd::Zero(4, 1), VectorXd::Zero(3)), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
