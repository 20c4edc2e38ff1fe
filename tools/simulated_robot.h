#pragma once

#include "dynid/model/model.h"
#include "dynid/robot/robot.h"
#include "dynid/simulation/simulated_truth.h"

#include <memory>
#include <string>
#include <vector>

namespace dynid::tool {

/// Which robot `simulate` makes a log of.
struct SimulatedRobot {
  std::shared_ptr<const Robot> robot;
  SimulationTruth truth;

  /// The truth as a model file holds it, to compare an identified model with.
  Model model() const;
};

/// From an identified model. @throws InputError
SimulatedRobot robotOfModel(const std::string& model_file);
/// From a description; `seed` decides what it leaves open. @throws InputError
SimulatedRobot robotOfDescription(const std::string& robot_file,
                                  const std::vector<std::string>& excluded_joints,
                                  int seed,
                                  bool random_inertia,
                                  bool with_root);

/// Names of the joints that slide.
std::vector<std::string> prismaticJoints(const Robot& robot);

}  // namespace dynid::tool
