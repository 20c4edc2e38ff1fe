#pragma once

#include "dynid/robot/tree_document.h"

#include <string>

namespace dynid {

/// Reads a URDF (http://wiki.ros.org/urdf/XML). Numbers are read independently of the locale and
/// must be finite. A non-unit axis is normalised. An effort or velocity limit of 0 means none.
/// Visuals, collisions, transmissions, sensors and elements of other programs are ignored. An
/// `<inertial>` that no body can have (InertialFault) and inconsistent limits are not used; the
/// document's remarks list them.
/// @throws InputError "file:line: ..." for XML that is not well formed, xacro that was not
/// expanded, missing or repeated names, a missing link, a zero axis, an unknown joint type, text in
/// place of a number; and as checkTree
TreeDocument parseUrdf(const std::string& text, const std::string& file);

}  // namespace dynid
