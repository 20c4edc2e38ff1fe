#include "dynid/model/model_efforts.h"

#include "dynid/dynamics/joint_effects.h"
#include "dynid/dynamics/projection.h"

#include <Eigen/LU>

#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <stdexcept>

namespace dynid {
namespace {

void checkStates(const Robot& robot,
                 const Eigen::Ref<const Eigen::MatrixXd>& values,
                 const char* name,
                 Eigen::Index samples) {
  if (values.rows() != samples || values.cols() != robot.numJoints())
    throw std::invalid_argument(
        fmt::format("{} has the shape {} x {}; expected {} x {} (samples x joints)",
                    name,
                    values.rows(),
                    values.cols(),
                    samples,
                    robot.numJoints()));
  if (!values.allFinite())
    throw std::invalid_argument(fmt::format("{} contains a number that is not finite", name));
}

/// Motion of all joints or of all actuators.
struct SideMotion {
  Eigen::MatrixXd q, dq, ddq;

  EffectBlock block(Eigen::Index owner, double deadband) const {
    EffectBlock block;
    block.q = q.col(owner);
    block.dq = dq.col(owner);
    block.ddq = ddq.col(owner);
    block.deadband = deadband;
    return block;
  }
};

}  // namespace

Eigen::VectorXd driveInertias(const Model& model) {
  model.check();
  Eigen::VectorXd inertias = Eigen::VectorXd::Zero(std::ssize(model.robot->drives));
  for (int c = 0; c < model.layout.size(); ++c)
    if (model.layout[c].kind == ColumnKind::kDriveInertia)
      inertias(model.layout[c].owner) += model.parameters(c);
  return inertias;
}

Eigen::MatrixXd jointDriveInertia(const Model& model) {
  const Eigen::VectorXd inertias = driveInertias(model);
  const Eigen::MatrixXd from_joints = model.robot->T.inverse();
  return from_joints.transpose() * inertias.asDiagonal() * from_joints;
}

EffortsByCause effortsByCause(const Model& model,
                              const Eigen::Ref<const Eigen::MatrixXd>& q,
                              const Eigen::Ref<const Eigen::MatrixXd>& dq,
                              const Eigen::Ref<const Eigen::MatrixXd>& ddq) {
  model.check();
  const Robot& robot = *model.robot;
  const Eigen::Index n = robot.numJoints(), inertial = Eigen::Index{10} * robot.numBodies();
  checkStates(robot, q, "q", q.rows());
  checkStates(robot, dq, "dq", q.rows());
  checkStates(robot, ddq, "ddq", q.rows());
  EffortsByCause parts;
  parts.rigid = parts.drive = parts.friction = parts.position = Eigen::MatrixXd::Zero(q.rows(), n);
  if (q.rows() == 0) return parts;
  parts.rigid =
      ProjectionRegressor(model.robot).efforts(model.parameters.head(inertial), q, dq, ddq);

  const Eigen::MatrixXd to_actuator = robot.T.inverse();
  const SideMotion joint{q, dq, ddq};
  const SideMotion actuator{
      (q.rowwise() - robot.transmission_offset.transpose()) * to_actuator.transpose(),
      dq * to_actuator.transpose(),
      ddq * to_actuator.transpose()};
  // Adds an effort at coordinate `owner` of the joint or actuator side; T^-T maps actuator efforts
  // to the joints.
  const auto add = [&](Eigen::MatrixXd& sum, int owner, bool at_joint, const Eigen::VectorXd& tau) {
    if (at_joint)
      sum.col(owner) += tau;
    else
      sum.noalias() += tau * to_actuator.row(owner);
  };
  for (int i = static_cast<int>(inertial); i < model.layout.size(); ++i) {
    const Column& column = model.layout[i];
    const double value = model.parameters(i);
    if (column.kind == ColumnKind::kDriveInertia) {
      add(parts.drive, column.owner, false, value * actuator.ddq.col(column.owner));
    } else if (column.kind == ColumnKind::kPosition) {
      const PositionEffect effect = positionEffect(robot, column);
      const auto coordinate = (effect.at_actuator ? actuator : joint).q.col(column.owner);
      add(parts.position,
          column.owner,
          !effect.at_actuator,
          value * positionColumns(effect, coordinate).col(column.component));
    } else if (column.kind == ColumnKind::kFriction) {
      EffectBlock block = (column.at_joint ? joint : actuator)
                              .block(column.owner, model.signals.rampSpeed(column.owner));
      if (column.effect == FrictionEffect::kLoad)
        block.tau_model = parts.rigid * robot.T.col(column.owner);
      add(parts.friction, column.owner, column.at_joint, value * effectColumn(column, block));
    }
  }
  return parts;
}

Eigen::MatrixXd inEffortUnit(const Model& model, const Eigen::MatrixXd& efforts) {
  if (model.scale_known || model.drive_gains.size() == 0) return efforts;
  const Robot& robot = *model.robot;
  Eigen::MatrixXd result = efforts;
  const Eigen::MatrixXd at_actuators = efforts * robot.T;
  for (int a = 0; a < robot.numJoints(); ++a)
    if (std::isfinite(model.drive_gains(a)))
      result.col(a) = at_actuators.col(a) / model.drive_gains(a);
  return result;
}

Eigen::MatrixXd modelEfforts(const Model& model,
                             const Eigen::Ref<const Eigen::MatrixXd>& q,
                             const Eigen::Ref<const Eigen::MatrixXd>& dq,
                             const Eigen::Ref<const Eigen::MatrixXd>& ddq) {
  return inEffortUnit(model, effortsByCause(model, q, dq, ddq).total());
}

}  // namespace dynid
