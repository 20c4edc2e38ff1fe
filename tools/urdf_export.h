#pragma once

#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid::tool {

/// A URDF with an identified model's numbers.
struct UrdfExport {
  std::string text;  ///< the user's own file, only <inertial> and <dynamics> changed
  std::vector<std::string> dropped;  ///< what a URDF has no place for, a sentence each
  double max_relative_disagreement =
      0.0;  ///< of the rigid-body torque after reloading, at random states
};

/// Writes the model into the URDF that it came with, reads it back and compares torques.
/// @throws InputError if the model cannot become a URDF (not usable, scale unknown) or if the
/// reloaded file disagrees.
UrdfExport exportUrdf(const Model& model);

}  // namespace dynid::tool
