#pragma once

#include "dynid/model/model.h"

#include <string>
#include <vector>

namespace dynid {

/// Where the value of a joint effect stands in the model file: section.owner.key, with its inner
/// numbers next to it, for example joints.elbow.stribeck and joints.elbow.stribeck_velocity.
struct ColumnPlace {
  std::string section;         ///< "joints", or "actuators" for drives of a coupled group
  std::string owner;           ///< name of the joint or actuator
  std::string key;             ///< the column's name without its owner and without "@variant"
  std::string shape_key;       ///< of Column::shape, or of Column::position_effect
  std::string presliding_key;  ///< of Column::presliding
  std::string smoothing_key;   ///< of Column::smoothing
};

/// True if the actuator drives other joints than its own, or not one to one.
bool isCoupled(const Robot& robot, int actuator);

/// The place of a column of kind kFriction, kDriveInertia or kPosition.
/// @param key  instead of the one that follows from the name, where another variant took it; "" for
/// none
ColumnPlace columnPlace(const Robot& robot, const Column& column, const std::string& key = "");

/// "inertial", "drive_inertia", "friction", "position", "payload".
const char* toString(ColumnKind kind);
const char* toString(Identifiability identifiability);  ///< "alone", "combination", "none"
const char* toString(Excitation excitation);            ///< "well", "badly", "none"

}  // namespace dynid
