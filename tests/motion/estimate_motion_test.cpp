#include "dynid/motion/estimate_motion.h"

#include "dynid/robot/kinematic_tree.h"

#include <gtest/gtest.h>

#include "support/random_robot.h"
#include <cmath>
#include <numbers>
#include <random>

namespace dynid {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using std::numbers::pi;

/// Two links of a planar arm in gravity with base parameters: those of the last link about its
/// axis, and those of the first.
struct Arm {
  std::shared_ptr<const Robot> robot;
  EffortSensitivity model;
  VectorXd theta;
};

Arm makeArm(double width = 0.01) {
  ChainJoint second;
  second.X_PJ = {rotationFromRpy({0.0, 0.0, 0.0}), {0.5, 0.0, 0.0}};
  const auto robot =
      std::make_shared<const Robot>(chainRobot({ChainJoint{}, second}, {0.0, -9.80665, 0.0}));
  // Both axes along z, gravity along -y: mc_x and Izz of both links, mc_y of the second.
  const std::vector<int> inertial{1, 9, 11, 12, 19};
  VectorXd theta(5 + 6);
  theta << 1.2, 0.4, 0.8, 0.05, 0.15, 0.6, 0.9, 0.1, 0.3, 0.5, -0.1;
  return {robot, EffortSensitivity(robot, inertial, VectorXd::Constant(2, width), false), theta};
}

double position(double t, Index j, int derivative) {
  double sum = 0.0;
  for (int k = 1; k <= 4; ++k) {
    const double w = 2.0 * pi * 0.31 * k * (1.0 + 0.13 * static_cast<double>(j));
    sum += 0.5 / k * std::pow(w, derivative) *
           std::sin(w * t + 1.3 * k * k + static_cast<double>(j) + 0.5 * pi * derivative);
  }
  return sum;
}

struct Truth {
  MatrixXd q, dq, ddq;
};

Truth truthAt(const VectorXd& time) {
  Truth truth;
  MatrixXd* parts[] = {&truth.q, &truth.dq, &truth.ddq};
  for (int d = 0; d < 3; ++d)
    *parts[d] = MatrixXd::NullaryExpr(
        time.size(), 2, [&](Index i, Index j) { return position(time(i), j, d); });
  return truth;
}

MotionRecord record(const Arm& arm, double encoder_step, double noise, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(0.0, noise);
  MotionRecord record;
  record.time = VectorXd::LinSpaced(2000, 0.0, 19.99);
  const Truth truth = truthAt(record.time);
  record.effort = arm.model.efforts(truth.q, truth.dq, truth.ddq, arm.theta);
  record.effort = record.effort.unaryExpr([&](double tau) { return tau + normal(generator); });
  record.q = encoder_step * (truth.q.array() / encoder_step).round();
  return record;
}

MotionOptions optionsFor(double encoder_step) {
  MotionOptions options;
  options.position_std_dev = VectorXd::Constant(2, encoder_step / std::sqrt(12.0));
  options.slowest_speed = VectorXd::Constant(2, 0.05);
  return options;
}

double errorOn(const Arm& arm, const VectorXd& theta) {
  const Truth truth = truthAt(VectorXd::LinSpaced(500, 30.0, 40.0));
  const MatrixXd off = arm.model.efforts(truth.q, truth.dq, truth.ddq, theta) -
                       arm.model.efforts(truth.q, truth.dq, truth.ddq, arm.theta);
  return std::sqrt(off.squaredNorm() / static_cast<double>(off.size()));
}

TEST(EffortSensitivity, RowsAndDerivativesAreThoseOfTheEfforts) {
  const Arm arm = makeArm(0.2);
  const Truth truth = truthAt(VectorXd::LinSpaced(40, 0.0, 3.0));
  const MatrixXd tau = arm.model.efforts(truth.q, truth.dq, truth.ddq, arm.theta);
  const std::vector<MatrixXd> rows = arm.model.rows(truth.q, truth.dq, truth.ddq);
  for (Index j = 0; j < 2; ++j)
    EXPECT_LT((rows[j] * arm.theta - tau.col(j)).norm(), 1e-10 * tau.norm());
  const auto slopes = arm.model.derivatives(truth.q, truth.dq, truth.ddq, arm.theta);
  const double h = 1e-6;
  for (Index j = 0; j < 2; ++j) {
    const auto of = static_cast<std::size_t>(j);
    const std::pair<MatrixXd Truth::*, const MatrixXd*> states[] = {
        {&Truth::q, &slopes.by_q[of]},
        {&Truth::dq, &slopes.by_dq[of]},
        {&Truth::ddq, &slopes.by_ddq[of]}};
    for (const auto& [state, slope] : states) {
      Truth up = truth, down = truth;
      (up.*state).col(j).array() += h;
      (down.*state).col(j).array() -= h;
      const MatrixXd numeric = (arm.model.efforts(up.q, up.dq, up.ddq, arm.theta) -
                                arm.model.efforts(down.q, down.dq, down.ddq, arm.theta)) /
                               (2.0 * h);
      EXPECT_LT((numeric - *slope).cwiseAbs().maxCoeff(),
                1e-5 * (1.0 + slope->cwiseAbs().maxCoeff()));
    }
  }
}

TEST(EstimateMotion, PrecisePositionsAndEffortsGiveTheTruth) {
  const Arm arm = makeArm();
  const MotionEstimate estimate =
      estimateMotion(arm.model, {record(arm, 1e-6, 1e-4, 1)}, optionsFor(1e-6));
  EXPECT_TRUE(estimate.converged) << estimate.reason;
  EXPECT_LT(errorOn(arm, estimate.theta), 2e-3);
}

TEST(EstimateMotion, ACoarseEncoderCostsLittleWhereEffortsAreQuiet) {
  const Arm arm = makeArm();
  const double step = 2.0 * pi / 4096.0;  // 12 bits
  const MotionRecord log = record(arm, step, 0.02, 2);
  MotionOptions options = optionsFor(step);
  const MotionEstimate likely = estimateMotion(arm.model, {log}, options);
  options.positions_only = true;
  double best = 1e300;
  for (const double knots : {4.0, 8.0, 16.0}) {
    options.first_knot_rate = knots;
    best = std::min(best, errorOn(arm, estimateMotion(arm.model, {log}, options).theta));
  }
  EXPECT_TRUE(likely.converged) << likely.reason;
  EXPECT_LT(errorOn(arm, likely.theta), 0.7 * best);
  EXPECT_NEAR(likely.position_ratio.mean(), 1.0, 0.1);
  for (Index j = 0; j < 2; ++j) EXPECT_NEAR(likely.effort_std_dev(j), 0.02, 0.004);
  EXPECT_LE(likely.iterations, 25);
}

TEST(EstimateMotion, IntervalsHoldTheTruth) {
  const Arm arm = makeArm();
  const double step = 2.0 * pi / 8192.0;
  double held = 0.0, all = 0.0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const MotionEstimate estimate =
        estimateMotion(arm.model, {record(arm, step, 0.05, seed)}, optionsFor(step));
    const VectorXd half = 1.96 * estimate.covariance.diagonal().cwiseSqrt();
    held += ((estimate.theta - arm.theta).array().abs() <= half.array()).cast<double>().sum();
    all += static_cast<double>(half.size());
  }
  EXPECT_GT(held / all, 0.85);
}

TEST(EstimateMotion, OutlyingEffortsCostLittle) {
  const Arm arm = makeArm();
  MotionRecord log = record(arm, 1e-4, 0.02, 3);
  for (Index i = 25; i < log.effort.rows(); i += 50) log.effort.row(i).array() += 5.0;
  EXPECT_LT(errorOn(arm, estimateMotion(arm.model, {log}, optionsFor(1e-4)).theta), 0.02);
}

TEST(EstimateMotion, BadArgumentsAreNamed) {
  const Arm arm = makeArm();
  EXPECT_THROW(estimateMotion(arm.model, {}, optionsFor(1e-4)), std::invalid_argument);
  MotionOptions options = optionsFor(1e-4);
  options.position_std_dev.setZero();
  EXPECT_THROW(estimateMotion(arm.model, {record(arm, 1e-4, 0.1, 1)}, options),
               std::invalid_argument);
}

}  // namespace
}  // namespace dynid
