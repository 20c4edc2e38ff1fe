#include "dynid/excitation/effort_rows.h"

#include "dynid/excitation/effort_check.h"
#include "dynid/excitation/motion_limits.h"
#include "dynid/math/random_stream.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>

namespace dynid {
namespace {

// Trees with prismatic and mimicking joints, damping, friction, springs and drive inertia; one
// joint has no effort limit.
Robot limitedRobot(std::uint64_t seed) {
  RandomRobotOptions options;
  options.joints = 4;
  Robot robot = randomRobot(seed, options);
  for (size_t j = 0; j < robot.joints.size(); ++j) {
    robot.joints[j].limits.effort = j == 1 ? kInfinity : 20.0 + 15.0 * static_cast<double>(j);
    robot.joints[j].damping = 0.7;
    robot.joints[j].friction = 3.0;
    robot.joints[j].drive_inertia = 0.4;
    robot.joints[j].stiffness = 5.0;
    robot.joints[j].spring_reference = 0.2;
  }
  return robot;
}

Eigen::MatrixXd randomMotion(const MotionLimits& limits, std::uint64_t seed) {
  RandomStream random(seed, 9);
  Eigen::MatrixXd X = coefficientScale(limits, 3, 6.0);
  for (double& value : X.reshaped()) value *= 0.3 * random.normal();
  X.row(0) += limits.middle().transpose();
  return X;
}

TEST(EffortRows, JacobianIsTheDerivative) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto robot = std::make_shared<const Robot>(limitedRobot(seed));
    const MotionLimits limits = motionLimits(*robot, {});
    EffortRows rows(robot, limits, 3, 6.0, 20, 0.02);
    const Eigen::MatrixXd X = randomMotion(limits, seed);
    const Eigen::MatrixXd direction = randomMotion(limits, seed + 100);
    Eigen::VectorXd g;
    Eigen::MatrixXd jacobian;
    rows.evaluate(X, g, &jacobian);
    ASSERT_EQ(g.size(), 20);
    const auto at = [&](double h) {
      Eigen::VectorXd values;
      rows.evaluate(X + h * direction, values, nullptr);
      return values;
    };
    // Fourth order; rows change over shares of 1/rho = 0.01, and steps must be smaller.
    const double h = 1e-5;
    const Eigen::VectorXd difference =
        (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
    const Eigen::VectorXd exact = jacobian * direction.reshaped();
    EXPECT_LT((exact - difference).norm(), 1e-6 * (1.0 + exact.norm())) << "seed " << seed;
  }
}

TEST(EffortRows, AreNeverAboveWhatTheWorstJointLeaves) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto robot = std::make_shared<const Robot>(limitedRobot(seed));
    const MotionLimits limits = motionLimits(*robot, {});
    EffortRows rows(robot, limits, 3, 6.0, 50, 0.0);
    const Eigen::MatrixXd X = randomMotion(limits, seed);
    Eigen::VectorXd g;
    rows.evaluate(X, g, nullptr);
    const FourierBasis basis = fourierBasis(3, 6.0, periodGrid(6.0, 50));
    for (Eigen::Index i = 0; i < 50; ++i) {
      const MotionSamples one{basis.q.row(i) * X, basis.dq.row(i) * X, basis.ddq.row(i) * X};
      const Eigen::ArrayXd efforts = effortPeaks(*robot, one);
      // effortPeaks adds friction to the effort, the rows subtract it from the limit.
      const double left = (1.0 - (efforts - 3.0) / (limits.effort.array() - 3.0)).minCoeff();
      EXPECT_LE(g(i), left + 1e-12) << "seed " << seed;
      EXPECT_GE(g(i), left - std::log(8.0) / 100.0 - 1e-12) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace dynid
