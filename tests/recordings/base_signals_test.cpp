#include "dynid/recordings/base_signals.h"

#include "dynid/robot/load_robot.h"
#include "dynid/signals/plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace dynid {
namespace {

// A log that was cut from a longer one: the base swings at both ends. It turns about the vertical
// axis through its origin, which moves along that axis, so that motions and accelerations are those
// of two coordinates.
TEST(BaseSignals, MotionThatGoesOnAtTheEndsKeepsItsAccelerationWithoutATwist) {
  Robot robot = loadRobot(std::filesystem::path(DYNID_DATASETS_DIR) / "quickstart" / "arm.toml");
  robot.floating_base = true;
  constexpr Eigen::Index kRows = 2000;
  constexpr double kRate = 200.0, kSpeed = 4.0;  // Hz, rad/s
  RawSignals raw;
  raw.time = Eigen::VectorXd::LinSpaced(kRows, 0.0, (kRows - 1) / kRate);
  raw.position.resize(kRows, robot.numJoints());
  BaseSamples recorded;
  recorded.pose = Eigen::MatrixXd::Zero(kRows, 7);
  const auto height = [&](double t) { return 0.2 * std::cos(kSpeed * t); };
  const auto angle = [&](double t) { return 0.3 * std::cos(kSpeed * t + 0.2); };
  for (Eigen::Index k = 0; k < kRows; ++k) {
    const double t = raw.time(k);
    for (int j = 0; j < robot.numJoints(); ++j)
      raw.position(k, j) = 1e-5 * std::round(1e5 * std::sin(3.0 * t + j));
    recorded.pose(k, 2) = height(t);
    recorded.pose(k, 5) = std::sin(0.5 * angle(t));
    recorded.pose(k, 6) = std::cos(0.5 * angle(t));
  }
  SignalOptions options;
  options.cutoff_hz = 5.0;
  const SignalPlan plan = planSignals({&raw, 1}, options);
  const ConditionedSignals joint = condition(raw, plan);
  const BaseSignals base = baseOnClock(robot, recorded, "body", raw, joint, plan);
  ASSERT_EQ(base.motion.rows(), kRows);
  for (Eigen::Index k = 0; k < kRows; ++k) {
    const double t = joint.time(k), squared = kSpeed * kSpeed;
    EXPECT_NEAR(base.motion(k, 5), -squared * angle(t), 0.02 * squared * 0.3) << k;
    EXPECT_NEAR(base.motion(k, 8) + robot.gravity.z(), -squared * height(t), 0.02 * squared * 0.2)
        << k;
  }
}

}  // namespace
}  // namespace dynid
