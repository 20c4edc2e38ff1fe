#pragma once

#include "dynid/robot/tree_document.h"

#include <string>

namespace dynid {

/// Reads a URDF (http://wiki.ros.org/urdf/XML). Numbers are read the same in every locale and must
/// be finite; a non-unit axis is normalised; effort or velocity limit 0 means none; visuals,
/// collisions, transmissions, sensors and foreign blocks are passed over. An `<inertial>` that no
/// body can have (InertialFault) and limits that make no sense are not used, which the document's
/// remarks say.
/// @throws InputError "file:line: ..." for XML that is not well formed, xacro that was not
/// expanded, missing or repeated names, a missing link, a zero axis, an unknown joint type, a
/// number that is not one; for two parents, a cycle, several roots.
TreeDocument parseUrdf(const std::string& text, const std::string& file);

}  // namespace dynid
