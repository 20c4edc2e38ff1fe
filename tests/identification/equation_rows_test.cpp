#include "dynid/identification/equation_rows.h"

#include <gtest/gtest.h>

#include "identification/exact_rows.h"
#include "support/random_robot.h"
#include <cmath>
#include <numeric>

namespace dynid {
namespace {

constexpr double kStillSpeed = 0.02;  // of rows and truth alike: rows hold at every sample

struct Arm {
  std::shared_ptr<const Robot> robot;
  SimulationTruth truth;
};

Arm randomArm(std::uint64_t seed) {
  RandomRobotOptions options;
  options.joints = 5;
  options.coupling = seed % 2 == 0 ? 0.5 : 0.0;
  Arm arm{std::make_shared<const Robot>(randomRobot(seed, options)), {}};
  arm.truth = randomTruth(*arm.robot, seed);
  arm.truth.still_speed = kStillSpeed;
  return arm;
}

// The largest |rows truth - efforts| relative to the largest effort, of exact signals at this rate;
// the motion and the window are the same at every rate.
double residual(const Arm& arm, const std::string& text, double rate_hz, double window_s) {
  RandomMotionOptions motion;
  motion.duration_s = 8.0;
  ActuatorSignals signals = exactSignals(*arm.robot, arm.truth, motion, rate_hz);
  const auto gap = static_cast<Eigen::Index>(3.0 * rate_hz);
  signals.joint.segments = {{0, gap}, {gap, signals.q.rows()}};
  std::vector<int> columns(static_cast<size_t>(arm.truth.layout.size()));
  std::iota(columns.begin(), columns.end(), 0);
  RowBuilder builder(arm.robot,
                     arm.truth.layout,
                     columns,
                     Eigen::VectorXd::Constant(arm.robot->numJoints(), kStillSpeed));
  std::vector<Eigen::MatrixXd> rows;
  builder.build(signals, nullptr, builder.advance(signals, {}), rows);
  const EquationRows equations(arm.robot, builder.clone(), equationsOf(text, *arm.robot, window_s));
  Eigen::MatrixXd efforts = signals.effort;
  equations.transform(signals, nullptr, 1.0 / rate_hz, window_s, rows, efforts);
  double worst = 0.0, largest = 0.0;
  for (int c = 0; c < equations.numChannels(); ++c) {
    const auto& own = equations.columns(c);
    const Eigen::VectorXd error =
        rows[static_cast<size_t>(c)] * arm.truth.parameters(own) - efforts.col(c);
    worst = std::max(worst, error.cwiseAbs().maxCoeff());
    largest = std::max(largest, efforts.col(c).cwiseAbs().maxCoeff());
  }
  return worst / largest;
}

// Simpson's rule: the error of exact signals falls sixteenfold when the step is halved. Every
// robot, with prismatic, mimicking and coupled joints; windows do not reach across a gap.
TEST(EquationRows, IntegralFormsAreOfOrderFour) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Arm arm = randomArm(seed);
    const std::string first = arm.robot->joints.front().name, last = arm.robot->joints.back().name;
    for (const std::string& text : {std::string("momentum"), "routh:" + first + "," + last}) {
      const double coarse = residual(arm, text, 50.0, 0.24);
      const double fine = residual(arm, text, 100.0, 0.24);
      EXPECT_LT(fine, 1e-4) << text << ", seed " << seed;
      EXPECT_GT(coarse / fine, 11.0) << text << ", seed " << seed;
      EXPECT_LT(residual(arm, text, 800.0, 0.24), 1e-7) << text << ", seed " << seed;
    }
  }
}

TEST(EquationRows, InverseDynamicsStaysAsItIs) {
  EXPECT_LT(residual(randomArm(1), "inverse-dynamics", 50.0, 0.2), 1e-10);
}

}  // namespace
}  // namespace dynid
