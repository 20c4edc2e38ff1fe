#pragma once

#include "dynid/core/files.h"
#include "dynid/model/model_efforts.h"
#include "dynid/robot/load_robot.h"

#include "model/synthetic_model.h"
#include <cmath>
#include <random>
#include <string>

namespace dynid::testing {

/// A model with slightly changed inertias of the URDF, and viscous friction, Coulomb friction,
/// offset and drive inertia at every joint.
inline Model describedModel(std::shared_ptr<const Robot> robot) {
  Model model;
  model.robot = std::move(robot);
  model.status = {true, ""};
  model.layout = inertialLayout(*model.robot);
  model.parameters = Eigen::VectorXd::Zero(model.layout.size());
  for (int k = 0; k < model.robot->numBodies(); ++k) {
    if (model.robot->bodies[k].massless) continue;
    const auto& prior = model.robot->bodies[k].prior;
    const InertialParameters inertial =
        prior && (*prior)(0) > 0.0
            ? *prior
            : inertialFromCenterOfMass(
                  1.0, {0.01, 0.0, 0.02}, Eigen::Vector3d(2e-3, 3e-3, 4e-3).asDiagonal());
    model.parameters.segment<10>(10 * k) = (1.0 + 0.01 * k) * inertial;
  }
  for (int j = 0; j < model.robot->numJoints(); ++j) {
    appendEffect(model, frictionColumn(*model.robot, j, FrictionEffect::kViscous), 0.5 + 0.1 * j);
    appendEffect(model, frictionColumn(*model.robot, j, FrictionEffect::kCoulomb), 1.0 / (1.0 + j));
    appendEffect(model, frictionColumn(*model.robot, j, FrictionEffect::kOffset), 0.01 * j - 0.02);
    appendEffect(model, driveInertiaColumn(*model.robot, j), 0.3 / (1.0 + j));
  }
  model.drive_gains = Eigen::VectorXd::Constant(model.robot->numJoints(), std::nan(""));
  model.has_certificate = false;
  return model;
}

inline Model armModel() {
  return describedModel(std::make_shared<Robot>(
      parseRobot("", readTextFile(std::string(DYNID_DATASETS_DIR) + "/quickstart/arm.urdf"))));
}

/// The model with operating points: states, its own prediction, and a measurement with this
/// relative error.
inline Model withOperatingPoints(Model model, double error = 0.0) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  const Eigen::Index n = model.robot->numJoints();
  const auto draw = [&](double scale) -> Eigen::MatrixXd {
    return Eigen::MatrixXd::NullaryExpr(300, n, [&] { return scale * normal(random); });
  };
  OperatingPoints points{draw(1.0), draw(0.8), draw(3.0), {}, {}};
  points.predicted = effortsByCause(model, points.q, points.dq, points.ddq).total();
  const Eigen::MatrixXd noise = draw(1.0);
  points.measured = points.predicted + noise * (error * points.predicted.norm() / noise.norm());
  model.operating_points = points;
  return model;
}

/// Adds the spring that the robot describes at a joint as its first position effect [N m/rad or
/// N/m].
inline void appendSpring(Model& model, int joint, double stiffness) {
  Column spring;
  spring.kind = ColumnKind::kPosition;
  spring.owner = joint;
  spring.name = model.robot->joints[joint].name + ".spring";
  spring.unit = "N m/rad";
  appendEffect(model, spring, stiffness);
}

}  // namespace dynid::testing
