#pragma once

#include "dynid/robot/robot.h"
#include "dynid/simulation/simulate.h"

#include <string>

namespace dynid::tool {

/// The result of `simulate` as text and as JSON. @param output name of the log
std::string describe(const Robot& robot,
                     const SimulationSummary& summary,
                     const std::string& output);
std::string toJsonText(const Robot& robot,
                       const SimulationSummary& summary,
                       const std::string& output);

}  // namespace dynid::tool
