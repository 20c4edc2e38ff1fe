#pragma once

#include "dynid/robot/robot.h"
#include "dynid/signals/finding.h"

#include <filesystem>
#include <vector>

namespace dynid {

/// Reports links that have only a wrench sensor or only an inertial sensor; such a sensor is not
/// used, since a body is identified from both together. Code: lone-sensor (a warning).
std::vector<Finding> auditLoneSensors(const Robot& robot, const std::filesystem::path& log);

}  // namespace dynid
