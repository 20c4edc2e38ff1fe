#pragma once

#include "dynid/robot/robot.h"

#include "formulation_table.h"
#include "robot_check.h"
#include <string>
#include <vector>

namespace dynid::tool {

/// Renderings of what `check` finds.
std::string describe(const Robot& robot,
                     const RobotCheck& check,
                     const std::vector<FormulationRow>& formulations);
std::string toJsonText(const Robot& robot,
                       const RobotCheck& check,
                       const std::vector<FormulationRow>& formulations);

}  // namespace dynid::tool
