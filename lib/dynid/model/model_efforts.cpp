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

/// Motion and rigid effort on both sides of the transmission, [samples x joints or actuators].
struct BothSides {
  Eigen::MatrixXd q, dq, ddq, effort;
};

EffectBlock inputOf(const BothSides& side, int owner, double standstill_speed) {
  EffectBlock block;
  block.q = side.q.col(owner);
  block.dq = side.dq.col(owner);
  block.ddq = side.ddq.col(owner);
  block.tau_model = side.effort.col(owner);
  block.deadband = standstill_speed;
  return block;
}

}  // namespace

Eigen::VectorXd driveInertias(const Model& model) {
  Eigen::VectorXd inertias = Eigen::VectorXd::Zero(std::ssize(model.robot->drives));
  for (int c = 0; c < model.layout.size(); ++c)
    if (model.layout[c].kind == ColumnKind::kDriveInertia)
      inertias(model.layout[c].owner) += model.parameters(c);
  return inertias;
}

Eigen::MatrixXd jointDriveInertia(const Model& model) {
  const Eigen::MatrixXd from_joints = model.robot->T.inverse();
  return from_joints.transpose() * driveInertias(model).asDiagonal() * from_joints;
}

Eigen::MatrixXd modelEfforts(const Model& model,
                             const Eigen::Ref<const Eigen::MatrixXd>& q,
                             const Eigen::Ref<const Eigen::MatrixXd>& dq,
                             const Eigen::Ref<const Eigen::MatrixXd>& ddq) {
  const Robot& robot = *model.robot;
  checkStates(robot, q, "q", q.rows());
  checkStates(robot, dq, "dq", q.rows());
  checkStates(robot, ddq, "ddq", q.rows());
  const ProjectionRegressor regressor(model.robot);
  const Eigen::MatrixXd to_actuators = robot.T.inverse().transpose();
  BothSides joint{q, dq, ddq, {}};
  joint.effort = regressor.efforts(model.parameters.head(10 * robot.numBodies()), q, dq, ddq);
  BothSides actuator{(q.rowwise() - robot.transmission_offset.transpose()) * to_actuators,
                     dq * to_actuators,
                     ddq * to_actuators,
                     joint.effort * robot.T};
  Eigen::MatrixXd tau = actuator.effort;
  for (int c = 10 * robot.numBodies(); c < model.layout.size(); ++c) {
    const Column& column = model.layout[c];
    if (column.kind == ColumnKind::kPayload || model.parameters(c) == 0.0) continue;
    bool at_joint = column.at_joint;
    Eigen::VectorXd effort;
    if (column.kind == ColumnKind::kPosition) {
      const PositionEffect effect = positionEffect(robot, column);
      at_joint = !effect.at_actuator;
      const Eigen::MatrixXd& positions = at_joint ? joint.q : actuator.q;
      effort = positionColumns(effect, positions.col(column.owner)).col(column.component);
    } else {
      effort = effectColumn(
          column, inputOf(at_joint ? joint : actuator, column.owner, model.signals.still_speed));
    }
    effort *= model.parameters(c);
    if (at_joint)
      tau += effort * robot.T.row(column.owner);
    else
      tau.col(column.owner) += effort;
  }
  Eigen::MatrixXd result = tau * robot.T.inverse();
  if (model.scale_known) return result;
  for (int a = 0; a < robot.numJoints(); ++a)
    if (std::isfinite(model.drive_gains(a))) result.col(a) = tau.col(a) / model.drive_gains(a);
  return result;
}

}  // namespace dynid
