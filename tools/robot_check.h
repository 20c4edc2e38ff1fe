#pragma once

#include "dynid/core/progress.h"
#include "dynid/model/model.h"
#include "dynid/regression/base_parameters.h"
#include "dynid/robot/plausibility.h"
#include "dynid/robot/robot.h"

#include <memory>
#include <string>
#include <vector>

namespace dynid::tool {

/// A named combination of standard parameters that joint torque can see.
struct BaseParameterName {
  std::string name, expression;
};

/// What can be known of a robot before any log: a property of its structure. A floating base counts
/// as six more joints whose efforts (its wrench) are known.
struct RobotCheck {
  std::vector<BaseParameterName> base;  ///< of the rigid bodies alone
  std::vector<BaseParameterName>
      base_with_drives;  ///< with a drive inertia for each actuator that has one
  int static_count = 0;  ///< what poses at rest can tell
  /// Moving bodies, the root link first where it floats.
  std::vector<std::string> bodies;
  /// One a column of `layout` (ten a body, in the order of `bodies`).
  ParameterLayout layout;
  std::vector<Identifiability> identifiability;
  std::vector<Plausibility> plausibility;  ///< of every link that has an inertia in the description

  bool allPhysical() const;
};

/// @throws std::invalid_argument never for a loaded robot
RobotCheck checkRobot(const std::shared_ptr<const Robot>& robot, const Progress& progress);

}  // namespace dynid::tool
