#pragma once

#include "dynid/model/model.h"
#include "dynid/model/simple_joints.h"

#include <string>

namespace dynid {

/// A new MJCF (MuJoCo) file with the dynamics of a model: bodies, joints, position limits (`range`)
/// and effort limits (`actuatorfrcrange`, which MuJoCo 2.2 does not know), `inertial`,
/// `damping`, `frictionloss`, `armature`, `stiffness`, `springref`; mimic joints as
/// `equality/joint`; links behind fixed joints as sites. No geometry. Loops are left open.
///
/// `inertial` is that of mjcfInertial.
///
/// @param model  with names that the format takes (withFileNames)
/// @throws InputError where the base floats and its mass is not known
std::string writeMjcf(const Model& model, const SimpleJoints& joints);

/// `<inertial .../>` of a body from its parameters about its origin: centre of mass as `pos`,
/// principal axes as `quat`, principal moments as `diaginertia`. MuJoCo uses these values
/// unchanged, whereas it computes the principal axes of a `fullinertia` only to 1e-6 rad (version
/// 2.2).
std::string mjcfInertial(const InertialParameters& pi);

}  // namespace dynid
