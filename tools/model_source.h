#pragma once

#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid::tool {

/// A model with the values of a robot description (.toml, URDF or MJCF). @throws InputError
Model modelOfRobot(const std::string& robot_file, const std::vector<std::string>& excluded_joints);

/// Loads a model file or a robot description, depending on the name. For a URDF without TOML, what
/// a URDF does not contain (fixed joints, couplings, gravity) is taken from the description of
/// `like`, so that both have the same joints.
/// @throws InputError if the file cannot be used
Model modelOfFile(const std::string& file, const Model& like);

}  // namespace dynid::tool
