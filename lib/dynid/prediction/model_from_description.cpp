#include "dynid/prediction/model_from_description.h"

#include "dynid/core/errors.h"
#include "dynid/dynamics/joint_effects.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace dynid {
namespace {

// The drive inertias of the description belong to the joints. At the actuators they are
// T^T diag(inertia) T, of which a model has the diagonal only.
Eigen::VectorXd driveInertiasAtActuators(const Robot& robot) {
  Eigen::VectorXd at_joints(robot.numJoints());
  for (int j = 0; j < robot.numJoints(); ++j) at_joints(j) = robot.joints[j].drive_inertia;
  const Eigen::MatrixXd inertia = robot.T.transpose() * at_joints.asDiagonal() * robot.T;
  Eigen::VectorXd diagonal = inertia.diagonal();
  if ((inertia - Eigen::MatrixXd(diagonal.asDiagonal())).cwiseAbs().maxCoeff() >
      1e-9 * diagonal.maxCoeff())
    throw InputError(
        fmt::format("robot \"{}\": joints behind coupled drives have a drive inertia (armature) in "
                    "the description, which a model cannot represent; remove `armature` from these "
                    "joints and give the drives `drive_inertia` in an identification",
                    robot.name));
  return diagonal;
}

}  // namespace

Model modelFromDescription(const std::shared_ptr<const Robot>& robot) {
  if (!robot) throw std::invalid_argument("model of a description: no robot");
  Model model;
  model.robot = robot;
  model.layout = inertialLayout(*robot);
  std::vector<double> values;
  std::vector<std::string> unknown;
  for (const Body& body : robot->bodies) {
    if (!body.prior) unknown.push_back(body.name);
    const InertialParameters pi = body.prior.value_or(InertialParameters::Zero());
    values.insert(values.end(), pi.data(), pi.data() + 10);
  }
  if (!unknown.empty())
    throw InputError(
        fmt::format("robot \"{}\": the description gives no usable inertia for {}; a model of the "
                    "description's own values needs one for every moving link (dynid check says "
                    "what is wrong with those that are given)",
                    robot->name,
                    fmt::join(unknown, ", ")));
  const auto append = [&](const Column& column, double value) {
    model.layout.append(column);
    values.push_back(value);
  };
  const Eigen::VectorXd drive_inertias = driveInertiasAtActuators(*robot);
  for (int a = 0; a < robot->numJoints(); ++a) {
    const Joint& joint = robot->joints[a];
    // Friction of the description is that of the joint, also behind a coupled transmission.
    const bool coupled = robot->isCoupled(a);
    const auto friction = [&](FrictionEffect effect) {
      return coupled ? jointFrictionColumn(*robot, a, effect) : frictionColumn(*robot, a, effect);
    };
    append(friction(FrictionEffect::kViscous), joint.damping);
    append(friction(FrictionEffect::kCoulomb), joint.friction);
    if (drive_inertias(a) != 0.0) append(driveInertiaColumn(*robot, a), drive_inertias(a));
    const std::vector<PositionEffect>& effects = robot->drives[a].position_effects;
    if (joint.stiffness == 0.0 || effects.empty() ||
        effects[0].kind != PositionEffect::Kind::kSpring)
      continue;
    append(positionEffectColumns(*robot, a, 0).front(), joint.stiffness);
    append(friction(FrictionEffect::kOffset), -joint.stiffness * joint.spring_reference);
  }
  model.parameters = Eigen::Map<Eigen::VectorXd>(values.data(), std::ssize(values));
  model.drive_gains = Eigen::VectorXd::Constant(robot->numJoints(), std::nan(""));
  model.verdicts.resize(model.layout.size());
  model.signals.cutoff_hz = std::nan("");  // chosen for each log
  model.prior_source.assign(robot->bodies.size(), robot->bodySource());
  model.has_certificate = false;
  model.status = {true, "values of the robot description, not identified"};
  return model;
}

}  // namespace dynid
