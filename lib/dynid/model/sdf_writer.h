#pragma once

#include "dynid/model/model.h"
#include "dynid/model/simple_joints.h"

#include <string>
#include <vector>

namespace dynid {

/// A new SDF 1.9 (Gazebo) file with the dynamics of a model: links, `inertial`, joints with limits,
/// `damping` and `friction`; links behind fixed joints as frames. No geometry.
///
/// The pose of a link is given relative to its parent link. A base that does not float is fixed to
/// the world. SDF 1.9 has no drive inertia and no mimic joints; loops are left open.
///
/// @param model  with names that the format takes (withFileNames)
/// @param rotor_inertia  write the drive inertia as `drake:rotor_inertia` of the joints
/// @throws InputError where the base floats and its mass is not known
std::string writeSdf(const Model& model, const SimpleJoints& joints, bool rotor_inertia = false);

/// Properties of the robot's structure that SDF 1.9 cannot hold, one sentence each.
std::vector<std::string> sdfLosses(const Robot& robot);

}  // namespace dynid
