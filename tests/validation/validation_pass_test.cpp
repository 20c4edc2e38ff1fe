#include "dynid/validation/validation_pass.h"

#include "dynid/dynamics/inverse_dynamics.h"
#include "dynid/dynamics/projection.h"
#include "dynid/model/model_efforts.h"

#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/synthetic_model.h"
#include <cmath>

namespace dynid {
namespace {

using dynid::testing::syntheticModel;

/// Efforts of the links as in the blocks of a prediction.
Eigen::MatrixXd linkEfforts(const Model& model, const PredictionBlock& block) {
  return ProjectionRegressor(model.robot)
      .efforts(model.parameters.head(10 * model.robot->numBodies()), block.q, block.dq, block.ddq);
}

/// A motion in closed form with efforts of links and drives by Newton-Euler, and viscous friction
/// that the model contains.
PredictionBlock exactBlock(const Model& model, Eigen::Index rows, double step) {
  const Robot& robot = *model.robot;
  const int n = robot.numJoints();
  PredictionBlock block;
  block.time = Eigen::VectorXd::LinSpaced(rows, 0.0, static_cast<double>(rows - 1) * step);
  block.q.resize(rows, n);
  block.dq.resize(rows, n);
  block.ddq.resize(rows, n);
  block.predicted.resize(rows, n);
  const Eigen::VectorXd pi = model.parameters.head(10 * robot.numBodies());
  const Eigen::MatrixXd T_inverse = robot.T.inverse();
  const Eigen::MatrixXd reflected =
      T_inverse.transpose() * driveInertias(model).asDiagonal() * T_inverse;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double t = block.time(i);
    for (Eigen::Index j = 0; j < n; ++j) {
      const double w = 1.0 + 0.3 * static_cast<double>(j);
      block.q(i, j) = 0.8 * std::sin(w * t) + 0.2 * t / 10.0;
      block.dq(i, j) = 0.8 * w * std::cos(w * t) + 0.02;
      block.ddq(i, j) = -0.8 * w * w * std::sin(w * t);
    }
    const Eigen::VectorXd dq = block.dq.row(i), ddq = block.ddq.row(i);
    block.predicted.row(i) =
        inverseDynamics(robot, pi, block.q.row(i), dq, ddq) + reflected * ddq + 0.7 * dq;
  }
  block.rigid = linkEfforts(model, block);
  block.measured = block.predicted;
  block.moving = block.dq.array().abs() > 0.02;
  return block;
}

Check energyCheck(const Model& model, const PredictionBlock& block, double limit = 0.25) {
  EnergyBalance balance(model);
  balance.add(block);
  return balance.check(limit);
}

TEST(EnergyBalance, ClosesForAnExactModel) {
  const Model model = syntheticModel();
  const Check check = energyCheck(model, exactBlock(model, 5000, 0.002));
  EXPECT_EQ(check.outcome, Check::Outcome::kPassed);
  EXPECT_LT(check.value, 1e-6);  // error of the trapezoidal rule
}

TEST(EnergyBalance, ClosesOverStretchesPartedByAGap) {
  const Model model = syntheticModel();
  PredictionBlock block = exactBlock(model, 5000, 0.002);
  block.time.tail(2500).array() += 60.0;
  block.measured.row(1000).setConstant(std::numeric_limits<double>::quiet_NaN());
  EXPECT_LT(energyCheck(model, block).value, 1e-6);
}

TEST(EnergyBalance, MissesWorkThatTheModelDoesNotExplain) {
  const Model model = syntheticModel();
  PredictionBlock block = exactBlock(model, 5000, 0.002);
  block.measured = block.predicted + 3.0 * block.dq;  // friction that the model does not contain
  const double flow = (block.measured.array() * block.dq.array()).abs().sum();
  const double missed = 3.0 * block.dq.squaredNorm();
  const Check check = energyCheck(model, block, 0.5 * missed / flow);
  EXPECT_EQ(check.outcome, Check::Outcome::kFailed);
  EXPECT_NEAR(check.value, missed / flow, 1e-3 * missed / flow);
}

TEST(EnergyBalance, MissesAWrongInverseDynamics) {
  // Efforts of other links than those whose energy is computed: checks that M(q) and the regressor
  // are compared.
  const Model model = syntheticModel();
  PredictionBlock block = exactBlock(model, 5000, 0.002);
  block.ddq *= 0.5;  // inconsistent with this motion
  block.rigid = linkEfforts(model, block);
  EXPECT_GT(energyCheck(model, block).value, 1e-3);
}

TEST(EnergyBalance, SaysNothingWithoutMotion) {
  const Model model = syntheticModel();
  PredictionBlock block = exactBlock(model, 100, 0.002);
  block.dq.setZero();
  EXPECT_EQ(energyCheck(model, block).outcome, Check::Outcome::kNotVerifiable);
}

TEST(ValidationPass, GathersScoresCurvesAndEnergy) {
  const Model model = syntheticModel();
  const PredictionBlock block = exactBlock(model, 3000, 0.01);
  ValidationPass pass(model);
  EXPECT_TRUE(pass.empty());
  pass.add(block);
  ValidationResult result;
  pass.finish({}, result);
  EXPECT_EQ(result.samples, 3000.0);
  EXPECT_LT(result.relative_error, 1e-12);
  EXPECT_EQ(result.filtered.cutoff_hz, 7.5);
  EXPECT_EQ(result.filtered.per_joint.size(), 3U);
  EXPECT_GT(result.curves.time.size(), 1000);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].name, "energy_balance");
}

}  // namespace
}  // namespace dynid
