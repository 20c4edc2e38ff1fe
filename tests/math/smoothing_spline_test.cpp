#include "dynid/math/smoothing_spline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(SmoothingSpline, ItsGainIsThatOfAButterworthLowpassInBothDirections) {
  const double cutoff = 5.0, dt = 0.002, seconds = 20.0;
  const VectorXd times = VectorXd::LinSpaced(10001, 0.0, seconds);
  const UniformSpline spline(0.0, 1.0 / (4.0 * cutoff), 400);
  for (const double share : {0.2, 0.5, 0.8, 1.0, 1.2, 1.5}) {
    const double w = 2.0 * std::numbers::pi * cutoff * share;
    const MatrixXd wave = (w * times).array().sin();
    const SplineMotion motion =
        evaluate(spline, fitSmoothSpline(spline, times, wave, penaltyOfCutoff(cutoff, dt)), times);
    const double gain = 1.0 / (1.0 + std::pow(share, 8.0));
    for (Index k = 2500; k < 7500; k += 7) {
      EXPECT_NEAR(motion.value(k, 0), gain * wave(k), 0.015) << share;
      EXPECT_NEAR(motion.second(k, 0), -w * w * gain * wave(k), 0.015 * w * w) << share;
    }
  }
}

TEST(SmoothingSpline, CubicPolynomialsAreNotPenalised) {
  const VectorXd times = VectorXd::LinSpaced(301, -1.0, 1.0);
  const MatrixXd cubic = times.unaryExpr([](double t) { return 1.0 - 2.0 * t + 3.0 * t * t * t; });
  const UniformSpline spline(-1.0, 0.1, 20);
  const SplineMotion motion = evaluate(spline, fitSmoothSpline(spline, times, cubic, 1e-3), times);
  EXPECT_LT((motion.value - cubic).cwiseAbs().maxCoeff(), 1e-6);
  // A quartic polynomial is.
  const MatrixXd quartic = times.array().pow(4.0);
  const MatrixXd left =
      quartic - evaluate(spline, fitSmoothSpline(spline, times, quartic, 1e-3), times).value;
  EXPECT_GT(left.cwiseAbs().maxCoeff(), 1e-3);
}

TEST(SmoothingSpline, OneKnotPerSampleIsDetermined) {
  const VectorXd times = VectorXd::LinSpaced(12, 0.0, 1.1);
  const MatrixXd wave = (2.0 * times).array().sin();
  const UniformSpline spline(0.0, 0.1, 11);
  const MatrixXd c = fitSmoothSpline(spline, times, wave, penaltyOfCutoff(2.0, 0.1));
  EXPECT_LT((evaluate(spline, c, times).value - wave).cwiseAbs().maxCoeff(), 2e-3);
}

}  // namespace
}  // namespace dynid
