#include "dynid/equations/sliding_window.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace dynid {
namespace {

const std::vector<Segment> kSegments = {{0, 40}, {40, 43}, {43, 60}};

// x(t) or its derivative, with a jump of a million between segments.
Eigen::MatrixXd polynomial(double dt, bool derivative) {
  Eigen::MatrixXd x(60, 1);
  for (Eigen::Index i = 0; i < 60; ++i) {
    const double t = dt * static_cast<double>(i), jump = i < 40 ? 0.0 : i < 43 ? 1e6 : -1e6;
    x(i) = derivative ? 2.0 - 3.0 * t * t + 4.0 * t * t * t
                      : jump + 2.0 * t - t * t * t + t * t * t * t;
  }
  return x;
}

// Simpson's rule is exact for cubics: neither the jump between segments nor the shortened windows
// at their ends may matter. The tolerance 1e-8 is the rounding of the jump over the shortest
// window.
TEST(SlidingWindow, MeanOfADerivativeIsTheSlopeAtEverySampleOfEverySegment) {
  constexpr double kStep = 0.1;
  for (Eigen::Index half : {1, 2, 3, 7, 100}) {
    const SlidingWindow windows(kSegments, half, kStep);
    const Eigen::MatrixXd mean = windows.mean(polynomial(kStep, true));
    const Eigen::MatrixXd slope = windows.slope(polynomial(kStep, false));
    for (Eigen::Index i = 0; i < 60; ++i)
      EXPECT_NEAR(mean(i), slope(i), 1e-8) << "half " << half << ", sample " << i;
  }
}

TEST(SlidingWindow, WindowsInTheMiddleAreCentred) {
  const SlidingWindow windows({{0, 60}}, 3, 1.0);
  Eigen::MatrixXd spike = Eigen::MatrixXd::Zero(60, 1);
  spike(30) = 1.0;
  const Eigen::VectorXd mean = windows.mean(spike);
  const double third = 1.0 / 18.0;  // 1 / (3 intervals of 6)
  const std::vector<double> weights = {0.0, 1, 4, 2, 4, 2, 4, 1, 0.0};
  for (Eigen::Index i = 0; i < 9; ++i) EXPECT_NEAR(mean(26 + i), third * weights[i], 1e-15) << i;
}

TEST(SlidingWindow, SegmentsOfLessThanThreeSamplesGiveNothing) {
  const SlidingWindow windows({{0, 2}, {2, 6}}, 2, 1.0);
  const Eigen::MatrixXd ones = Eigen::MatrixXd::Ones(6, 1);
  EXPECT_EQ(windows.mean(ones).topRows(2).norm(), 0.0);
  EXPECT_TRUE(windows.mean(ones).bottomRows(4).isApproxToConstant(1.0, 1e-15));
}

TEST(SlidingWindow, RefusesWindowsWithoutLength) {
  EXPECT_THROW(SlidingWindow({{0, 5}}, 0, 1.0), std::invalid_argument);
  EXPECT_THROW(SlidingWindow({{0, 5}}, 1, 0.0), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
