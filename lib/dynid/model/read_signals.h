#pragma once

#include "dynid/model/json_place.h"
#include "dynid/model/model.h"

#include <Eigen/Core>

#include <optional>

namespace dynid {

/// One number per actuator, or an empty vector.
/// @throws InputError for another number of numbers
Eigen::VectorXd readPerActuator(const std::optional<JsonPlace>& place, const Robot& robot);

/// Reads the object `signals` of a model file.
/// @throws InputError with the place of a value that cannot be used
SignalSettings readSignals(const JsonPlace& place, const Robot& robot);

}  // namespace dynid
