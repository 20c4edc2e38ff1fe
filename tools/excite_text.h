#pragma once

#include "dynid/excitation/design.h"
#include "dynid/robot/robot.h"

#include <string>

namespace dynid::tool {

/// The design as text, with maxima, limits and the forecast.
std::string describe(const Robot& robot,
                     const ExcitationDesign& excitation,
                     const std::string& output);

/// The JSON output of `excite --json`.
std::string toJsonText(const Robot& robot, const ExcitationDesign& excitation, std::uint64_t seed);

}  // namespace dynid::tool
