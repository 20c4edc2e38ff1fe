#include "dynid/validation/model_friction.h"

#include "dynid/dynamics/friction_resistance.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace dynid {
namespace {

constexpr double kSlow = 0.05;  // of the highest speed

}  // namespace

Eigen::VectorXd ModelFriction::resistance(const Eigen::VectorXd& speeds) const {
  return frictionResistance(columns, speeds) *
         Eigen::Map<const Eigen::VectorXd>(parameters.data(), std::ssize(parameters));
}

std::vector<ModelFriction> frictionsOf(const Model& model) {
  const Robot& robot = *model.robot;
  const Eigen::VectorXd of_joints = highestJointSpeeds(robot);
  const Eigen::VectorXd of_actuators = highestActuatorSpeeds(robot);
  std::map<std::pair<bool, int>, ModelFriction> by_owner;
  for (int i = 0; i < model.layout.size(); ++i) {
    const Column& column = model.layout[i];
    if (!isDissipative(column)) continue;
    const auto owner = static_cast<size_t>(column.owner);
    const Joint& joint = robot.joints[owner];
    ModelFriction& friction = by_owner[{column.at_joint, column.owner}];
    friction.name = column.at_joint ? joint.name : robot.drives[owner].name;
    friction.speed_unit = joint.prismatic ? "m/s" : "rad/s";
    friction.at_joint = column.at_joint;
    friction.owner = column.owner;
    friction.fastest = (column.at_joint ? of_joints : of_actuators)(column.owner);
    friction.columns.push_back(column);
    friction.parameters.push_back(model.parameters(i));
  }
  std::vector<ModelFriction> all;
  for (auto& [owner, friction] : by_owner) all.push_back(std::move(friction));
  return all;
}

Eigen::VectorXd frictionErrorAtRest(const Model& model) {
  const Robot& robot = *model.robot;
  const Eigen::MatrixXd to_joints = robot.T.inverse().cwiseAbs().transpose();
  const bool in_ampere = model.effort_unit == "A";
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(robot.numJoints());
  for (const ModelFriction& friction : frictionsOf(model)) {
    const Eigen::VectorXd speeds = frictionSpeeds(friction.fastest);
    const bool has_state =
        std::any_of(friction.columns.begin(), friction.columns.end(), [](const Column& column) {
          return column.hasPreslidingState();
        });
    const double held =
        (has_state ? 2.0 : 1.0) * (speeds.array().abs() <= kSlow * friction.fastest)
                                      .select(friction.resistance(speeds).array(), 0.0)
                                      .maxCoeff();
    if (friction.at_joint) {
      largest(friction.owner) += held;
      continue;
    }
    const double gain = in_ampere && friction.owner < model.drive_gains.size()
                            ? model.drive_gains(friction.owner)
                            : 1.0;
    largest += to_joints.col(friction.owner) * held / std::abs(gain);
  }
  return largest;
}

}  // namespace dynid
