#include "simulated_robot.h"

#include "dynid/model/json.h"
#include "dynid/robot/load_robot.h"
#include "dynid/robot/root_body.h"

#include "expected_file.h"
#include <cmath>
#include <cstdint>

namespace dynid::tool {

Model SimulatedRobot::model() const {
  Model model;
  model.robot = robot;
  model.layout = truth.layout;
  model.parameters = truth.parameters;
  model.drive_gains = truth.drive_gains.size() > 0
                          ? truth.drive_gains
                          : Eigen::VectorXd::Constant(robot->T.cols(), std::nan(""));
  model.verdicts.resize(truth.layout.size());
  model.signals.cutoff_hz = std::nan("");  // chosen for each log
  model.signals.effort_delay = truth.effort_delay;
  model.prior_source.assign(robot->bodies.size(), robot->bodySource());
  model.has_certificate = false;
  model.status = {true, "true parameters of a simulated log, not identified"};
  return model;
}

SimulatedRobot robotOfModel(const std::string& model_file) {
  expectKind(model_file, Expected::kModel);
  const Model model = loadModel(model_file);
  return {model.robot, truthOf(model)};
}

SimulatedRobot robotOfDescription(const std::string& robot_file,
                                  const std::vector<std::string>& excluded_joints,
                                  int seed,
                                  bool random_inertia,
                                  bool described_drives,
                                  bool with_root) {
  expectKind(robot_file, Expected::kRobot);
  Robot loaded = loadRobot(robot_file, {excluded_joints});
  if (with_root) loaded = withRootBody(loaded);
  const auto robot = std::make_shared<const Robot>(std::move(loaded));
  return {robot,
          randomTruth(*robot, static_cast<std::uint64_t>(seed), !random_inertia, described_drives)};
}

std::vector<std::string> prismaticJoints(const Robot& robot) {
  std::vector<std::string> names;
  for (const Joint& joint : robot.joints)
    if (joint.prismatic) names.push_back(joint.name);
  return names;
}

}  // namespace dynid::tool
