#pragma once

#include "dynid/robot/surroundings.h"

namespace dynid {

/// Settings of the collision constraints.
struct SpaceOptions {
  Surroundings surroundings;  ///< obstacles, ground and workspace of the robot description
  /// [m] Radius of capsules, if the description has none: these are placed from the origin of every
  /// body to those of its children and of its fixed links. 0: 0.05 m, and only if the description
  /// contains obstacles.
  double link_radius = 0.0;
  double clearance = 0.01;  ///< [m] minimum distance between all surfaces, >= 0

  bool ignore = false;  ///< no collision constraints, whatever the description contains

  /// Whether there is anything to check.
  bool asked() const { return !ignore && (!surroundings.empty() || link_radius > 0.0); }
  /// @throws std::invalid_argument with the name of the invalid field
  void check() const;
};

}  // namespace dynid
