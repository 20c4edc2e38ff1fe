#pragma once

#include "dynid/model/c_writer.h"
#include "dynid/model/model.h"
#include "dynid/model/simple_joints.h"

#include <string>
#include <vector>

namespace dynid {

/// A model in another program's format, after it was read back and compared.
struct ExportedModel {
  std::string text;
  std::vector<std::string> dropped;  ///< what the format has no place for, one sentence each
  ExportCost cost;                   ///< torque error of the model and of the file
  /// Efforts of the links that were read back, at random states, relative to the largest effort.
  double max_relative_disagreement = 0.0;
};

/// How the drive inertia is written where a format has no element of its own for it.
enum class DriveInertia {
  kLeftOut,
  kRotorInertia  ///< `drake:rotor_inertia`, which Drake reads, and Gazebo does not
};

/// The URDF that the model came with, with its links' inertias and the friction that fits best.
/// @throws InputError if the model cannot become a URDF (not usable, scale not known), or if the
/// text that is read back disagrees with the model.
ExportedModel exportUrdf(const Model& model, DriveInertia drives = DriveInertia::kLeftOut);

/// The MJCF that the model came with, only `inertial`, `damping`, `frictionloss` and `armature`
/// changed (included files are written into it, as the model holds them); or a new one where a URDF
/// describes the robot. @throws InputError as exportUrdf
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
