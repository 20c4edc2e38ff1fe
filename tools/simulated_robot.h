#pragma once

#include "dynid/model/model.h"
#include "dynid/robot/robot.h"
#include "dynid/simulation/simulated_truth.h"

#include <memory>
#include <string>
#include <vector>

namespace dynid::tool {

/// The robot for which `simulate` makes a log.
struct SimulatedRobot {
  std::shared_ptr<const Robot> robot;
  SimulationTruth truth;

  /// The truth as a model file, for comparison with an identified model.
  Model model() const;
};

/// From an identified model. @throws InputError if it cannot be read
SimulatedRobot robotOfModel(const std::string& model_file);
/// From a description; `seed` determines parameters that it does not give. @throws InputError
SimulatedRobot robotOfDescription(const std::string& robot_file,
                                  const std::vector<std::string>& excluded_joints,
                                  int seed,
                                  bool random_inertia,
                                  bool described_drives,
                                  bool with_root);

/// Names of the prismatic joints.
std::vector<std::string> prismaticJoints(const Robot& robot);

}  // namespace dynid::tool
