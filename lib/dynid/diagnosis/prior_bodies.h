#pragma once

#include "dynid/robot/robot.h"
#include "dynid/spatial/inertia.h"

#include <string>
#include <vector>

namespace dynid {

/// Sources of a prior body that is no inertial of the description.
inline constexpr const char* kCapsuleSource = "capsule";
inline constexpr const char* kMasslessSource = "massless";

/// A prior body for every link: the described `<inertial>` if it is usable as a prior, else a
/// capsule from the link's origin to the mean of its children's origins. Zero for massless bodies.
std::vector<InertialParameters> priorBodies(const Robot& robot, std::vector<std::string>& sources);

}  // namespace dynid
