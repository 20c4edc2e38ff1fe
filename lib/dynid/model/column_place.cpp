#include "dynid/model/column_place.h"

#include <cmath>

namespace dynid {

namespace {

bool startsWith(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

ColumnPlace columnPlace(const Robot& robot, const Column& column, const std::string& key) {
  const std::string& actuator = robot.drives.at(column.owner).name;
  const std::string& joint = robot.joints.at(column.owner).name;
  // Whether a position effect acts on the joint or the actuator follows from its name.
  const bool at_joint = column.at_joint || (column.kind == ColumnKind::kPosition &&
                                            !startsWith(column.name, actuator + "."));
  ColumnPlace place;
  place.owner = at_joint ? joint : actuator;
  place.section = !at_joint && robot.isCoupled(column.owner) ? "actuators" : "joints";
  const std::string prefix = place.owner + ".";
  place.key = startsWith(column.name, prefix) ? column.name.substr(prefix.size()) : column.name;
  place.key = key.empty() ? place.key.substr(0, place.key.find('@')) : key;
  const bool friction = column.kind == ColumnKind::kFriction;
  if (friction && column.effect == FrictionEffect::kStribeck)
    place.shape_key = place.key + "_velocity";
  else if (friction && column.effect == FrictionEffect::kPresliding)
    place.shape_key = place.key + "_distance";
  else
    place.shape_key = place.key + "_shape";
  place.presliding_key =
      place.key == "coulomb" ? "presliding_distance" : place.key + "_presliding_distance";
  place.smoothing_key = place.key + "_smoothing_velocity";
  return place;
}

const char* toString(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kInertial:
      return "inertial";
    case ColumnKind::kDriveInertia:
      return "drive_inertia";
    case ColumnKind::kFriction:
      return "friction";
    case ColumnKind::kPosition:
      return "position";
    case ColumnKind::kPayload:
      return "payload";
  }
  return "";
}

const char* toString(Identifiability identifiability) {
  switch (identifiability) {
    case Identifiability::kAlone:
      return "alone";
    case Identifiability::kCombination:
      return "combination";
    case Identifiability::kNone:
      return "none";
  }
  return "";
}

const char* toString(Excitation excitation) {
  switch (excitation) {
    case Excitation::kWell:
      return "well";
    case Excitation::kBadly:
      return "badly";
    case Excitation::kNone:
      return "none";
  }
  return "";
}

}  // namespace dynid
