#pragma once

#include "dynid/logs/log_reader.h"
#include "dynid/robot/robot.h"

#include <filesystem>

namespace dynid {

/// Opens a log with the columns of the robot, in its order. Angles of joints that are measured at
/// the joint are made continuous where they were recorded modulo a full turn. Those measured at an
/// actuator are not: a turn of the actuator is a fraction of a turn of the joint, and windows of a
/// log must agree.
/// @param correction  applied to every row that is read
/// @throws InputError as LogReader
LogReader openReader(const Robot& robot,
                     const std::filesystem::path& path,
                     const LogCorrection& correction);

}  // namespace dynid
