#include "urdf_export.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/dynamics/closed_motion.h"
#include "dynid/dynamics/newton_euler.h"
#include "dynid/model/column_place.h"
#include "dynid/model/urdf_rewrite.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/root_body.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace dynid::tool {
namespace {

constexpr int kStates = 50;
constexpr double kTolerance =
    1e-9;  // 17 digits and two changes of the reference point leave about 1e-13

void refuseUnfit(const Model& model) {
  if (!model.status.usable)
    throw InputError("no URDF is written: the model is not usable: " + model.status.reason);
  if (!model.scale_known)
    throw InputError(
        "no URDF is written: the masses are known up to one common factor only; give a drive_gain, "
        "a known payload or a "
        "known mass in the robot description");
}

/// Everything fixed to a body is in its leading link's new inertia.
std::set<std::string> lumpedLinks(const Robot& robot) {
  std::set<std::string> names;
  for (const Body& body : robot.bodies)
    for (size_t i = 1; i < body.links.size(); ++i) names.insert(body.links[i].name);
  return names;
}

std::map<std::string, JointDynamics> frictions(const Model& model,
                                               std::vector<std::string>& dropped) {
  std::map<std::string, JointDynamics> by_joint;
  std::vector<std::string> homeless;
  for (int i = 0; i < model.layout.size(); ++i) {
    const Column& column = model.layout[i];
    if (column.ofRigidBody()) continue;
    const bool friction = column.isFriction() && !isCoupled(*model.robot, column.owner);
    JointDynamics* joint =
        friction ? &by_joint[model.robot->joints[static_cast<size_t>(column.owner)].name] : nullptr;
    if (friction && column.effect == FrictionEffect::kViscous)
      joint->damping = model.parameters(i);
    else if (friction && column.effect == FrictionEffect::kCoulomb)
      joint->friction = model.parameters(i);
    else if (model.parameters(i) != 0.0)
      homeless.push_back(column.name);
  }
  if (!homeless.empty()) dropped.push_back("a URDF has no place for " + join(homeless));
  return by_joint;
}

/// Largest difference of torque between the model's bodies and those of the file read back,
/// relative to the largest torque.
double disagreement(const Model& model, const Robot& reloaded) {
  const Robot& robot = *model.robot;
  const Eigen::VectorXd ours = model.parameters.head(10 * robot.numBodies());
  Eigen::VectorXd theirs(ours.size());
  for (int k = 0; k < robot.numBodies(); ++k) {
    const Body& body = reloaded.bodies.at(static_cast<size_t>(k));
    theirs.segment<10>(10 * k) = body.prior.value_or(InertialParameters::Zero());
  }
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto draw = [&](double scale) {
    Eigen::VectorXd v(robot.numJoints());
    for (double& value : v) value = scale * unit(random);
    return v;
  };
  double difference = 0.0, largest = 0.0;
  for (int i = 0; i < kStates; ++i) {
    const Eigen::VectorXd q = closablePosition(robot, [&] { return draw(3.0); });
    const Eigen::VectorXd dq = draw(2.0), ddq = draw(5.0);
    const Eigen::VectorXd tau = inverseDynamics(robot, ours, q, dq, ddq);
    difference = std::max(
        difference, (tau - inverseDynamics(reloaded, theirs, q, dq, ddq)).cwiseAbs().maxCoeff());
    largest = std::max(largest, tau.cwiseAbs().maxCoeff());
  }
  return largest > 0.0 ? difference / largest : difference;
}

}  // namespace

UrdfExport exportUrdf(const Model& model) {
  refuseUnfit(model);
  const Robot& robot = *model.robot;
  std::map<std::string, InertialParameters> inertials;
  for (int k = 0; k < robot.numBodies(); ++k)
    inertials[robot.bodies[static_cast<size_t>(k)].name] = model.body(k);
  UrdfExport result;
  const std::map<std::string, JointDynamics> dynamics = frictions(model, result.dropped);
  for (const Loop& loop : robot.loops)
    result.dropped.push_back(
        "a URDF holds no closed chains: the file is the tree cut open at loop " + loop.name +
        ", and its torques hold together with the [[loop]] of the "
        "description only");
  result.text = rewriteUrdf(robot.urdf_text, inertials, dynamics, lumpedLinks(robot));

  RobotOptions options;
  for (const auto& [joint, value] : robot.ignored_joints) options.exclude_joints.push_back(joint);
  Robot reloaded = parseRobot(robot.description_text, result.text, options);
  if (hasRootBody(robot)) reloaded = withRootBody(reloaded);
  result.max_relative_disagreement = disagreement(model, reloaded);
  if (!(result.max_relative_disagreement <= kTolerance))
    throw InputError("no URDF is written: read back, its torques differ from the model's by " +
                     dynid::toText(result.max_relative_disagreement, 3) + " of the largest");
  return result;
}

}  // namespace dynid::tool
