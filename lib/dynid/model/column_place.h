#pragma once

#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid {

/// Place of a joint effect's value in the model file: section.owner.key, with its inner parameters
/// next to it, for example joints.elbow.stribeck and joints.elbow.stribeck_velocity.
struct ColumnPlace {
  std::string section;         ///< "joints", or "actuators" for drives of a coupled group
  std::string owner;           ///< name of the joint or actuator
  std::string key;             ///< the column's name without its owner and without "@variant"
  std::string shape_key;       ///< of Column::shape, or of Column::position_effect
  std::string presliding_key;  ///< of Column::presliding
  std::string smoothing_key;   ///< of Column::smoothing
};

/// The place of a column of kind kFriction, kDriveInertia or kPosition.
/// @param key  used instead of the key derived from the name, if another variant has that key
/// already; "": the derived key
ColumnPlace columnPlace(const Robot& robot, const Column& column, const std::string& key = "");

/// "inertial", "drive_inertia", "friction", "position", "payload".
const char* toString(ColumnKind kind);
const char* toString(Identifiability identifiability);  ///< "alone", "combination", "none"
const char* toString(Excitation excitation);            ///< "well", "badly", "none"

}  // namespace dynid
