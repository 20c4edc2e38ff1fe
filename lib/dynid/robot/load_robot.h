#pragma once

#include "dynid/robot/robot.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dynid {

/// Options of the reader that come from the command line or from a log, not from the description.
struct RobotOptions {
  /// Joints that are held fixed: "name", at 0 or at the description's value, or "name=position"
  /// [rad or m].
  std::vector<std::string> exclude_joints;
};

/// The options with which these joints are held at these positions [rad or m].
RobotOptions holding(const std::map<std::string, double>& positions);

/// A robot from a description: a URDF or an MJCF alone (told apart by the root element), or a
/// `.toml` that names one (datasets/README.md, "Robot description"). Mimic joints, fixed joints and
/// ignored joints are resolved into the tree of moving bodies.
/// @throws InputError "path:line: ..." for anything wrong in either file; UsageError for a joint of
/// `exclude_joints` that the robot does not have, or a position that is no number.
Robot loadRobot(const std::filesystem::path& path, const RobotOptions& options = {});

/// Builds the robot from texts (a model file contains the texts of its robot). `description` may be
/// empty; `bodies` is a URDF, or an MJCF without includes. The names are used in messages.
/// @throws as loadRobot
Robot parseRobot(const std::string& description,
                 const std::string& bodies,
                 const RobotOptions& options = {},
                 const std::string& description_name = "robot.toml",
                 const std::string& bodies_name = "robot.urdf");

}  // namespace dynid
