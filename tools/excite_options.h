#pragma once

#include "dynid/excitation/design.h"
#include "dynid/robot/robot.h"

#include "options.h"
#include <string>
#include <vector>

namespace dynid::tool {

/// The arguments of `dynid excite`.
struct ExciteRequest {
  std::string robot, output, csv, ros, report, criterion = "condition";
  std::string payload, noise, start, velocity, acceleration, jerk;
  std::vector<std::string> excluded, statistics;
  int seed = 1;
  bool force = false, no_drive_inertia = false, ignore_effort = false;
  ExcitationOptions design;
};

void declare(Options& options, ExciteRequest& request);

/// Completes `request.design` from the text arguments. @throws UsageError for invalid values
void finish(ExciteRequest& request, const Options& options, const Robot& robot);

}  // namespace dynid::tool
