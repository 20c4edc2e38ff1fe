#pragma once

#include "dynid/model/model.h"
#include "dynid/model/simple_joints.h"

#include <string>

namespace dynid {

/// A new MJCF (MuJoCo) file with the dynamics of a model: bodies, joints, limits, `inertial`,
/// `damping`, `frictionloss`, `armature`; mimic joints as `equality/joint`; links behind fixed
/// joints as sites. No geometry. Loops are left open.
///
/// `inertial` has the centre of mass as `pos` and the inertia about it in the body's axes as
/// `fullinertia` (xx yy zz xy xz yz).
///
/// @throws InputError where the base floats and its mass is not known
std::string writeMjcf(const Model& model, const SimpleJoints& joints);

/// `<inertial .../>` of a body from its parameters about its origin.
std::string mjcfInertial(const InertialParameters& pi);

}  // namespace dynid
