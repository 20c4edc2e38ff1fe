#pragma once

#include "dynid/model/c_writer.h"
#include "dynid/model/model.h"
#include "dynid/model/simple_joints.h"

#include <string>
#include <vector>

namespace dynid {

/// A model in the format of another program, after it was read back and compared.
struct ExportedModel {
  std::string text;
  std::vector<std::string> dropped;  ///< properties that the format cannot hold, one sentence each
  ExportCost cost;                   ///< torque error of the model and of the file
  /// Difference of the efforts of the links that were read back, at random states, relative to the
  /// largest effort.
  double max_relative_disagreement = 0.0;
};

/// How to write the drive inertia in formats that have no element for it.
enum class DriveInertia {
  kLeftOut,
  kRotorInertia  ///< as `drake:rotor_inertia`, which Drake reads and Gazebo ignores
};

/// The URDF of the model's robot with the inertias of the model and the friction that fits best
/// (fitSimpleJoints).
/// @throws InputError if the model cannot be written as a URDF (not usable, scale not known), or if
/// the text that is read back disagrees with the model
ExportedModel exportUrdf(const Model& model, DriveInertia drives = DriveInertia::kLeftOut);

/// The MJCF of the model's robot with changed `inertial`, `damping`, `frictionloss` and `armature`
/// (included files are merged into it, as in the model file); or a new MJCF if a URDF describes the
/// robot. @throws InputError as exportUrdf
ExportedModel exportMjcf(const Model& model);

/// A new SDF file (Gazebo). @throws InputError as exportUrdf
ExportedModel exportSdf(const Model& model, DriveInertia drives = DriveInertia::kLeftOut);

/// C99 source and header.
struct ExportedCode {
  CFiles files;
  std::vector<std::string> dropped;
  ExportCost cost;
};

/// @param stem  file name without folder and ending
/// @throws InputError as exportUrdf, and for closed loops and floating bases
ExportedCode exportC(const Model& model, const std::string& stem);

}  // namespace dynid
