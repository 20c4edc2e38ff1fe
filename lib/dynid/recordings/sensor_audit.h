#pragma once

#include "dynid/robot/robot.h"
#include "dynid/signals/audit.h"

#include <filesystem>
#include <vector>

namespace dynid {

/// Names the sensors on links that are left out because the link has one of them alone: a body is
/// identified from a wrench and an inertial sensor together. Code: lone-sensor (a warning).
std::vector<Finding> auditLoneSensors(const Robot& robot, const std::filesystem::path& log);

}  // namespace dynid
