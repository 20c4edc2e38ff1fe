#include "dynid/model/model_efforts.h"

#include "dynid/dynamics/inverse_dynamics.h"

#include <Eigen/LU>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "synthetic_model.h"

namespace dynid {
namespace {

using testing::syntheticModel;

Eigen::MatrixXd states(Eigen::Index samples, int joints, double scale, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-scale, scale);
  return Eigen::MatrixXd::NullaryExpr(samples, joints, [&] { return uniform(random); });
}

/// The model's efforts at one state, term by term as in the documentation of the model file.
Eigen::VectorXd byHand(const Model& model,
                       const Eigen::VectorXd& q,
                       const Eigen::VectorXd& dq,
                       const Eigen::VectorXd& ddq) {
  const Robot& robot = *model.robot;
  const Eigen::MatrixXd from_joints = robot.T.inverse();
  const Eigen::VectorXd v = from_joints * dq, a = from_joints * ddq;
  const Eigen::VectorXd rigid =
      robot.T.transpose() *
      inverseDynamics(robot, model.parameters.head(10 * robot.numBodies()), q, dq, ddq);
  Eigen::VectorXd tau = rigid;
  for (int c = 10 * robot.numBodies(); c < model.layout.size(); ++c) {
    const Column& column = model.layout[c];
    const int i = column.owner;
    const double p = model.parameters(c);
    if (column.kind == ColumnKind::kDriveInertia) tau(i) += p * a(i);
    if (column.kind != ColumnKind::kFriction) continue;
    const double sign = std::clamp(v(i) / model.signals.rampSpeed(i), -1.0, 1.0);
    if (column.effect == FrictionEffect::kViscous) tau(i) += p * v(i);
    if (column.effect == FrictionEffect::kCoulomb) tau(i) += p * sign;
    if (column.effect == FrictionEffect::kOffset) tau(i) += p;
    if (column.effect == FrictionEffect::kLoad) tau(i) += p * sign * std::abs(rigid(i));
    if (column.effect == FrictionEffect::kStribeck)
      tau(i) += p * sign * std::exp(-std::pow(v(i) / column.shape, 2));
  }
  return from_joints.transpose() * tau;
}

/// The synthetic model without the effects that byHand does not compute.
Model knownEffects() {
  Model model = syntheticModel();
  model.scale_known = true;
  for (int c = 10 * model.robot->numBodies(); c < model.layout.size(); ++c) {
    const Column& column = model.layout[c];
    const bool known =
        column.kind == ColumnKind::kDriveInertia || column.kind == ColumnKind::kPayload ||
        (column.kind == ColumnKind::kFriction && !column.at_joint && column.smoothing == 0.0 &&
         (column.effect == FrictionEffect::kViscous || column.effect == FrictionEffect::kCoulomb ||
          column.effect == FrictionEffect::kOffset || column.effect == FrictionEffect::kLoad ||
          column.effect == FrictionEffect::kStribeck));
    if (!known) model.parameters(c) = 0.0;
  }
  return model;
}

TEST(ModelEfforts, AreRigidBodyFrictionAndDriveInertiaThroughTheTransmission) {
  const Model model = knownEffects();
  const Eigen::MatrixXd q = states(50, 3, 2.0, 1), dq = states(50, 3, 0.5, 2),
                        ddq = states(50, 3, 4.0, 3);
  const Eigen::MatrixXd tau = modelEfforts(model, q, dq, ddq);
  for (Eigen::Index i = 0; i < q.rows(); ++i) {
    const Eigen::VectorXd expected = byHand(model, q.row(i), dq.row(i), ddq.row(i));
    EXPECT_LT((tau.row(i).transpose() - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST(ModelEfforts, AreCurrentsOfTheActuatorsWhereTheScaleIsUnknown) {
  Model model = knownEffects();
  const Eigen::MatrixXd q = states(5, 3, 2.0, 1), dq = states(5, 3, 0.5, 2),
                        ddq = states(5, 3, 4.0, 3);
  const Eigen::MatrixXd efforts = modelEfforts(model, q, dq, ddq);
  EXPECT_EQ(inEffortUnit(model, efforts), efforts);
  model.scale_known = false;
  model.drive_gains = Eigen::Vector3d(2.0, -0.5, 3.0);
  const Eigen::MatrixXd gains = model.drive_gains.asDiagonal();
  const Eigen::MatrixXd back =
      model.robot->T.inverse().transpose() * gains * modelEfforts(model, q, dq, ddq).transpose();
  EXPECT_LT((back.transpose() - efforts).norm(), 1e-12 * efforts.norm());
}

TEST(ModelEfforts, RefuseShapesAndNumbersThatMakeNoSense) {
  const Model model = knownEffects();
  const Eigen::MatrixXd good = Eigen::MatrixXd::Zero(4, 3);
  const auto message = [&](const Eigen::MatrixXd& q, const Eigen::MatrixXd& dq) -> std::string {
    try {
      modelEfforts(model, q, dq, good);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(good.leftCols(2), good),
            "q has the shape 4 x 2; expected 4 x 3 (samples x joints)");
  EXPECT_EQ(message(good, good.topRows(3)),
            "dq has the shape 3 x 3; expected 4 x 3 (samples x joints)");
  Eigen::MatrixXd bad = good;
  bad(1, 2) = std::nan("");
  EXPECT_EQ(message(good, bad), "dq contains a number that is not finite");
}

TEST(ModelEfforts, WithoutStatesThereAreNoEfforts) {
  const Model model = knownEffects();
  const Eigen::MatrixXd none(0, 3);
  EXPECT_EQ(modelEfforts(model, none, none, none), none);
  EXPECT_THROW(modelEfforts(model, Eigen::MatrixXd(0, 2), none, none), std::invalid_argument);
}

TEST(ModelEfforts, AModelThatIsNotCompleteIsRefused) {
  const Eigen::MatrixXd good = Eigen::MatrixXd::Zero(4, 3);
  Model model;
  EXPECT_THROW(modelEfforts(model, good, good, good), std::invalid_argument);
  EXPECT_THROW(driveInertias(model), std::invalid_argument);
  EXPECT_THROW(jointDriveInertia(model), std::invalid_argument);
  model = knownEffects();
  model.parameters.conservativeResize(model.parameters.size() - 1);
  EXPECT_THROW(modelEfforts(model, good, good, good), std::invalid_argument);
  model = knownEffects();
  model.signals.ramp_speed = Eigen::Vector2d(0.1, 0.1);
  EXPECT_THROW(modelEfforts(model, good, good, good), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
