#include "dynid/signals/end_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kStep = 0.005;      // [s]
constexpr double kEndsCutoff = 4.0;  // [Hz]
const VectorXd kStill = VectorXd::Constant(1, 0.02);

// q = sin(w t + phase) rad, 400 rows
MatrixXd sine(double hz, double phase) {
  MatrixXd q(400, 1);
  for (Index k = 0; k < q.rows(); ++k)
    q(k, 0) = std::sin(2.0 * std::numbers::pi * hz * static_cast<double>(k) * kStep + phase);
  return q;
}

TEST(EndMotion, AccelerationOfASineAtBothEnds) {
  const double hz = 1.0, phase = 0.7, w = 2.0 * std::numbers::pi * hz;
  const MatrixXd found = endAccelerations(sine(hz, phase), kStep, kEndsCutoff, kStill);
  EXPECT_NEAR(found(0, 0), -w * w * std::sin(phase), 0.05 * w * w);
  EXPECT_NEAR(found(1, 0), -w * w * std::sin(w * 399.0 * kStep + phase), 0.05 * w * w);
}

// A joint rests until a controller (second order, 6 Hz) is switched on, which makes it follow a
// sine of 0.5 Hz. Its acceleration is 0 at first and oscillates then.
TEST(EndMotion, AControllerThatIsSwitchedOnHasNoAccelerationBefore) {
  const double w = 2.0 * std::numbers::pi * 6.0;
  for (const double damping : {0.1, 0.3, 0.5}) {
    SCOPED_TRACE(damping);
    MatrixXd q(400, 1);
    double x = 0.0, v = 0.0, largest = 0.0;
    constexpr int kFiner = 50;
    constexpr double kFinerStep = kStep / kFiner;
    for (Index i = 0; i < kFiner * q.rows(); ++i) {
      if (i % kFiner == 0) q(i / kFiner, 0) = x;
      const double desired = std::sin(std::numbers::pi * static_cast<double>(i) * kFinerStep);
      const double a = w * w * (desired - x) - 2.0 * damping * w * v;
      largest = std::max(largest, std::abs(a));
      v += a * kFinerStep;
      x += v * kFinerStep;
    }
    // The polynomial over a period gives 1.7 to 2.5 times the largest acceleration.
    EXPECT_LT(std::abs(endAccelerations(q, kStep, kEndsCutoff, kStill)(0, 0)), 0.2 * largest);
  }
}

}  // namespace
}  // namespace dynid
