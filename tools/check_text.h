#pragma once

#include "dynid/formulations/agreement.h"
#include "dynid/robot/robot.h"

#include "robot_check.h"
#include <string>
#include <vector>

namespace dynid::tool {

/// The results of `check` as text and as JSON.
std::string describe(const Robot& robot,
                     const RobotCheck& check,
                     const std::vector<FormulationAgreement>& formulations);
std::string toJsonText(const Robot& robot,
                       const RobotCheck& check,
                       const std::vector<FormulationAgreement>& formulations);

}  // namespace dynid::tool
