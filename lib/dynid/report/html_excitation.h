#pragma once

#include "dynid/excitation/design.h"
#include "dynid/robot/robot.h"

#include <string>

namespace dynid {

/// A page about a designed (feasible) trajectory: figures, curves of every joint with their limits,
/// maxima and limits, forecast of the parameters' standard deviations, assumptions.
std::string excitationPage(const Robot& robot, const ExcitationDesign& excitation);

}  // namespace dynid
