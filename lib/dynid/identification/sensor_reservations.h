#pragma once

#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid {

/// Wrench sensors that contradict the other channels of the logs, one sentence each with its
/// remedy: an error of the forces or moments (sensorFits) above 35 %, or a factor outside 0.85 to
/// 1.15 with which they agree. A reason not to use the model: the fit gives up masses for them.
std::vector<std::string> wrongSensors(const Model& model);

/// The same for sensors with an error above 25 % that are not wrong: reservations.
std::vector<std::string> doubtfulSensors(const Model& model);

}  // namespace dynid
