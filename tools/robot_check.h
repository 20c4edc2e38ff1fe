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

/// A base parameter: a combination of standard parameters that has an effect on joint torques.
struct BaseParameterName {
  std::string name, expression;
};

/// Properties of a robot that follow from its structure without any log. A floating base counts as
/// six additional joints whose efforts (its wrench) are known.
struct RobotCheck {
  std::vector<BaseParameterName> base;  ///< of the rigid bodies only
  /// With a drive inertia for each actuator that has one.
  std::vector<BaseParameterName> base_with_drives;
  int static_count = 0;  ///< number of base parameters that static poses determine
  /// Moving bodies; the root link comes first if the base is floating.
  std::vector<std::string> bodies;
  /// One per column of the identifiability table (ten per body, in the order of `bodies`).
  ParameterLayout layout;
  std::vector<Identifiability> identifiability;
  std::vector<Plausibility> plausibility;  ///< of every link with an inertia in the description

  bool allPhysical() const;
};

/// Computes these properties; no log is needed.
RobotCheck checkRobot(const std::shared_ptr<const Robot>& robot, const Progress& progress);

}  // namespace dynid::tool
