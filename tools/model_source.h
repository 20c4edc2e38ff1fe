#pragma once

#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid::tool {

/// The values of a robot description (.toml, URDF or MJCF) as a model. @throws InputError
Model modelOfRobot(const std::string& robot_file, const std::vector<std::string>& excluded_joints);

/// A model file or a robot description, told apart by its name; a bare URDF takes what it does not
/// say (held joints, couplings, gravity) from the description of `like`, so that both describe the
/// same joints.
/// @throws InputError
Model modelOfFile(const std::string& file, const Model& like);

}  // namespace dynid::tool
