#include "dynid/robot/parameter_layout.h"

#include <fmt/format.h>
#include <iterator>
#include <stdexcept>

namespace dynid {
namespace {

void checkActuator(const Robot& robot, int actuator) {
  if (actuator < 0 || actuator >= std::ssize(robot.drives))
    throw std::invalid_argument(fmt::format(
        "actuator {} was asked for; the robot has {} actuators", actuator, robot.drives.size()));
}

}  // namespace

bool Column::hasRamp() const {
  if (!isFriction() || smoothing > 0.0) return false;
  switch (effect) {
    case FrictionEffect::kCoulomb:
    case FrictionEffect::kLoad:
    case FrictionEffect::kStribeck:
      return presliding == 0.0;
    default:
      return false;
  }
}

int ParameterLayout::find(const std::string& name) const {
  for (int i = 0; i < size(); ++i)
    if (columns_[i].name == name) return i;
  return -1;
}

ParameterLayout inertialLayout(const Robot& robot) {
  ParameterLayout layout;
  for (int k = 0; k < robot.numBodies(); ++k) {
    for (int c = 0; c < 10; ++c) {
      Column column;
      column.kind = ColumnKind::kInertial;
      column.owner = k;
      column.component = c;
      column.name = robot.bodies[k].name + "." + std::string(kInertialNames[c]);
      column.unit = std::string(kInertialUnits[c]);
      layout.append(column);
    }
  }
  return layout;
}

Column frictionColumn(const Robot& robot, int actuator, FrictionEffect effect, double shape) {
  checkActuator(robot, actuator);
  const bool prismatic = robot.joints[actuator].prismatic;
  const std::string force = prismatic ? "N" : "N m";
  const std::string angle = prismatic ? "m" : "rad";
  Column column;
  column.kind = ColumnKind::kFriction;
  column.owner = actuator;
  column.effect = effect;
  column.shape = shape;
  column.name = robot.drives[actuator].name + "." + toString(effect);
  switch (effect) {
    case FrictionEffect::kViscous:
    case FrictionEffect::kAsymmetric:
      column.unit = force + " s/" + angle;
      break;
    case FrictionEffect::kSqrtViscous:
      column.unit = force + " (s/" + angle + ")^0.5";
      break;
    case FrictionEffect::kQuadraticViscous:
      column.unit = force + " (s/" + angle + ")^2";
      break;
    case FrictionEffect::kLoad:
      column.unit = "1";
      break;
    default:
      column.unit = force;
  }
  column.nonnegative = effect == FrictionEffect::kViscous || effect == FrictionEffect::kCoulomb ||
                       effect == FrictionEffect::kLoad;
  return column;
}

Column jointFrictionColumn(const Robot& robot, int joint, FrictionEffect effect) {
  Column column = frictionColumn(robot, joint, effect);
  column.at_joint = true;
  column.name = robot.joints[joint].name + "." + toString(effect) + "_joint";
  return column;
}

Column driveInertiaColumn(const Robot& robot, int actuator) {
  checkActuator(robot, actuator);
  Column column;
  column.kind = ColumnKind::kDriveInertia;
  column.owner = actuator;
  column.name = robot.drives[actuator].name + ".drive_inertia";
  column.unit = robot.joints[actuator].prismatic ? "kg" : "kg m^2";
  column.nonnegative = true;
  return column;
}

PositionEffect positionEffect(const Robot& robot, const Column& column) {
  return robot.drives.at(column.owner).position_effects.at(column.position_effect);
}

}  // namespace dynid
