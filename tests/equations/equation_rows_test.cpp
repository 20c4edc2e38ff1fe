#include "dynid/equations/equation_rows.h"

#include "dynid/formulations/huygens.h"
#include "dynid/formulations/variational_integrator.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "equations/exact_rows.h"
#include "support/random_robot.h"
#include <cmath>
#include <numeric>

namespace dynid {
namespace {

// For rows and truth alike, so that the rows are exact at every sample
constexpr double kStillSpeed = 0.02;

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
  arm.truth.ramp_speed = Eigen::VectorXd::Constant(arm.robot->numJoints(), kStillSpeed);
  return arm;
}

RandomMotionOptions shortMotion() {
  RandomMotionOptions motion;
  motion.duration_s = 8.0;
  return motion;
}

std::vector<int> allColumns(const Arm& arm) {
  std::vector<int> columns(arm.truth.layout.size());
  std::iota(columns.begin(), columns.end(), 0);
  return columns;
}

RowBuilder builderOf(const Arm& arm) {
  return {arm.robot,
          arm.truth.layout,
          allColumns(arm),
          Eigen::VectorXd::Constant(arm.robot->numJoints(), kStillSpeed)};
}

// Largest |rows truth - efforts| relative to the largest effort, for signals in two segments.
double residualOf(const Arm& arm,
                  const std::string& text,
                  ActuatorSignals signals,
                  double step,
                  double window_s) {
  const auto gap = static_cast<Eigen::Index>(3.0 / step);
  signals.joint.segments = {{0, gap}, {gap, signals.q().rows()}};
  const EquationRows equations(arm.robot, builderOf(arm), equationsOf(text, *arm.robot, window_s));
  const ActuatorSignals motion = text == "variational" ? fromPositions(signals, step) : signals;
  RowBlock built;
  RowBuilder builder = builderOf(arm);
  builder.build(motion, nullptr, builder.advance(motion, {}), built);
  std::vector<Eigen::MatrixXd> rows = built.copy();
  Eigen::MatrixXd efforts = signals.effort;
  equations.transform(motion, nullptr, step, window_s, rows, efforts);
  EXPECT_EQ(static_cast<int>(rows.size()), equations.numChannels());
  EXPECT_EQ(efforts.cols(), equations.numChannels());
  double worst = 0.0, largest = 0.0;
  for (int c = 0; c < equations.numChannels(); ++c) {
    const auto& columns = equations.columns(c);
    const Eigen::VectorXd error = rows[c] * arm.truth.parameters(columns) - efforts.col(c);
    worst = std::max(worst, error.cwiseAbs().maxCoeff());
    largest = std::max(largest, efforts.col(c).cwiseAbs().maxCoeff());
  }
  return worst / largest;
}

// Residual of exact signals at this rate; motion and window are the same at every rate.
double residual(const Arm& arm, const std::string& text, double rate_hz, double window_s) {
  const ActuatorSignals signals = exactSignals(*arm.robot, arm.truth, shortMotion(), rate_hz);
  return residualOf(arm, text, signals, 1.0 / rate_hz, window_s);
}

// Simpson's rule: the error of exact signals decreases by a factor of sixteen when the step is
// halved. For every robot, with prismatic, mimic and coupled joints; windows do not extend across a
// gap.
TEST(EquationRows, IntegralFormsAreOfOrderFour) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Arm arm = randomArm(seed);
    const std::string first = arm.robot->joints.front().name, last = arm.robot->joints.back().name;
    for (const std::string& text :
         {std::string("momentum"), std::string("energy"), "routh:" + first + "," + last}) {
      const double coarse = residual(arm, text, 50.0, 0.24);
      const double fine = residual(arm, text, 100.0, 0.24);
      EXPECT_LT(fine, 1e-4) << text << ", seed " << seed;
      EXPECT_GT(coarse / fine, 11.0) << text << ", seed " << seed;
    }
  }
}

// Windows longer than the motion, also those whose number of samples is beyond an integer, extend
// over all of it.
TEST(EquationRows, LongWindowsExtendOverTheWholeMotion) {
  const Arm arm = randomArm(1);
  const double whole = residual(arm, "momentum", 50.0, 1e3);
  for (const double window_s : {1e17, 1e19, 1e308})
    EXPECT_EQ(residual(arm, "momentum", 50.0, window_s), whole) << window_s;
  EXPECT_NE(residual(arm, "momentum", 50.0, 0.24), whole);
}

TEST(EquationRows, PointwiseFormsHoldToRounding) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    for (const char* text : {"inverse-dynamics", "power"})
      EXPECT_LT(residual(randomArm(seed), text, 50.0, 0.2), 1e-10) << text << ", seed " << seed;
}

// Independent check by the energies: the rate of K + V by automatic differentiation.
TEST(EquationRows, PowerIsTheRateOfTheEnergy) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Arm arm = randomArm(seed);
    const ActuatorSignals signals = exactSignals(*arm.robot, arm.truth, shortMotion(), 20.0);
    RowBuilder builder = builderOf(arm);
    RowBlock built;
    builder.build(signals, nullptr, builder.advance(signals, {}), built);
    std::vector<Eigen::MatrixXd> rows = built.copy();
    const EquationRows equations(arm.robot, builderOf(arm), equationsOf("power", *arm.robot, 0.1));
    Eigen::MatrixXd efforts = signals.effort;
    equations.transform(signals, nullptr, 0.05, 0.1, rows, efforts);
    const Eigen::Index inertial = Eigen::Index{10} * arm.robot->numBodies();
    for (Eigen::Index i = 0; i < signals.q().rows(); i += 5) {
      const Eigen::RowVectorXd rate = powerRow(
          *arm.robot, signals.joint.q.row(i), signals.joint.dq.row(i), signals.joint.ddq.row(i));
      EXPECT_LT((rows.front().row(i).head(inertial) - rate).norm(), 1e-10 * (1.0 + rate.norm()))
          << "seed " << seed << ", sample " << i;
    }
  }
}

TEST(EquationRows, TheVariationalFormIsOfOrderTwo) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Arm arm = randomArm(seed);
    // Without friction's ramp through zero, which is not smooth and would hide the order.
    Arm smooth = arm;
    for (int c = 0; c < arm.truth.layout.size(); ++c)
      if (arm.truth.layout[c].effect == FrictionEffect::kCoulomb) smooth.truth.parameters(c) = 0.0;
    const double coarse = residual(smooth, "variational", 50.0, 0.2);
    const double fine = residual(smooth, "variational", 100.0, 0.2);
    EXPECT_NEAR(coarse / fine, 4.0, 0.6) << "seed " << seed;
  }
}

// On positions computed by the integrator itself from these efforts, without friction and drive
// inertia.
TEST(EquationRows, TheVariationalFormIsExactOnItsOwnIntegrator) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Arm arm = randomArm(seed);
    const int inertial = 10 * arm.robot->numBodies();
    arm.truth.parameters.tail(arm.truth.parameters.size() - inertial).setZero();
    const Eigen::VectorXd pi = arm.truth.parameters.head(inertial);
    constexpr double kStep = 0.005;
    ActuatorSignals signals = exactSignals(*arm.robot, arm.truth, shortMotion(), 1.0 / kStep);
    // 0.25 s from rest, driven by the efforts of the motion; the resulting path is irrelevant.
    const Eigen::Index n = arm.robot->numJoints(), samples = 50;
    const auto first = static_cast<Eigen::Index>(2.0 / kStep);
    Eigen::MatrixXd q(samples, n), tau(samples, n);
    q.row(0) = q.row(1) = signals.joint.q.row(first);
    for (Eigen::Index i = 0; i < samples; ++i)
      tau.row(i) = signals.effort.row(first + i) * arm.robot->T.inverse();
    for (Eigen::Index i = 1; i + 1 < samples; ++i) {
      const VariationalStep step =
          variationalStep(*arm.robot, pi, q.row(i - 1), q.row(i), tau.row(i), kStep);
      ASSERT_TRUE(step.solved) << step.reason << ", seed " << seed;
      q.row(i + 1) = step.q;
    }
    ActuatorSignals made = atSamples(signals, {});
    made.joint.q = q;
    made.joint.dq = made.joint.ddq = Eigen::MatrixXd::Zero(samples, n);
    made.actuator = ActuatorMotion{(q.rowwise() - arm.robot->transmission_offset.transpose()) *
                                       arm.robot->T.inverse().transpose(),
                                   made.joint.dq,
                                   made.joint.dq};
    made.effort = tau * arm.robot->T;
    made.joint.segments = {{0, samples}};
    for (Eigen::Index i = 0; i < samples; ++i) made.joint.grid_index.push_back(i);
    const EquationRows equations(
        arm.robot, builderOf(arm), equationsOf("variational", *arm.robot, 0.1));
    const ActuatorSignals motion = fromPositions(made, kStep);
    RowBuilder builder = builderOf(arm);
    RowBlock built;
    builder.build(motion, nullptr, builder.advance(motion, {}), built);
    std::vector<Eigen::MatrixXd> rows = built.copy();
    Eigen::MatrixXd efforts = made.effort;
    equations.transform(motion, nullptr, kStep, 0.1, rows, efforts);
    for (int a = 0; a < equations.numChannels(); ++a) {
      const Eigen::VectorXd error =
          rows[a] * arm.truth.parameters(equations.columns(a)) - efforts.col(a);
      // The step is solved up to rounding of the positions, which causes 1/h^2 times this error in
      // the efforts.
      EXPECT_LT(error.cwiseAbs().maxCoeff(), 1e-8 * made.effort.cwiseAbs().maxCoeff())
          << "seed " << seed << ", actuator " << a;
    }
  }
}

}  // namespace
}  // namespace dynid
