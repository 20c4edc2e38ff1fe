#pragma once

#include "dynid/robot/robot.h"

#include <string>

namespace dynid {

/// Tolerance for exact formulations. Their difference is the rounding error of a chain of n bodies,
/// about n^2 eps (1e-13 for thirty bodies), times the cancellation among the terms of a fast
/// motion. A mistake in a formulation shows at 1e-3 and above.
inline constexpr double kRoundingTolerance = 1e-10;
inline constexpr const char* kRoundingReason = "exact form: rounding along the chain";

inline std::string suitsEveryRobot(const Robot&) { return ""; }

inline std::string needsTwoJoints(const Robot& robot) {
  return robot.numJoints() >= 2 ? "" : "needs at least two coordinates";
}

}  // namespace dynid
