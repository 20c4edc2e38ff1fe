#pragma once

#include "dynid/excitation/design.h"
#include "dynid/robot/robot.h"

#include <string>

namespace dynid {

/// A page about a designed (feasible) trajectory: figures, curves of every joint between their
/// limits, maxima beside limits, forecast, what was assumed.
std::string excitationPage(const Robot& robot, const ExcitationDesign& excitation);

}  // namespace dynid
