#pragma once

#include "dynid/spatial/inertia.h"

#include <map>
#include <string>

namespace dynid {

/// Joint effects of an MJCF joint.
struct MjcfJointEffects {
  double damping = 0.0;       ///< [N m s/rad or N s/m]
  double frictionloss = 0.0;  ///< [N m or N]
  double armature = 0.0;      ///< [kg m^2 or kg]
};

/// The user's own MJCF with other inertias and joint effects: every byte outside the `<inertial>`
/// of the named bodies and the three attributes of the named joints stays as it is.
///
/// Values are written at the body or joint itself, where they take precedence over default classes;
/// no default class is changed, since other joints may share it. `<inertial>` becomes `pos`, `mass`
/// and `fullinertia` (xx yy zz xy xz yz about the centre of mass, axes of the body); its other
/// attributes go. A body or joint may stand in any of the files; a file in which none stands comes
/// back unchanged.
///
/// @param files      by name: the main file and all files that it includes
/// @param inertials  by body: the new parameters about the body's origin, in its axes; mass > 0,
/// or all zero for a body that is welded to another one which has its mass
/// @param joints     by joint
/// @throws std::invalid_argument for a body or joint that no file has, or a number that is not
/// finite; InputError for a text that is not XML, and for `inertiafromgeom="true"`, with which
/// MuJoCo ignores `<inertial>`
std::map<std::string, std::string> rewriteMjcf(
    const std::map<std::string, std::string>& files,
    const std::map<std::string, InertialParameters>& inertials,
    const std::map<std::string, MjcfJointEffects>& joints);

}  // namespace dynid
