#pragma once

#include "dynid/robot/mjcf_defaults.h"
#include "dynid/robot/mjcf_pose.h"
#include "dynid/robot/tree_document.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace dynid {

/// The tree of bodies and joints below `<worldbody>`, with the data that later sections of the file
/// refer to.
struct MjcfBodies {
  std::vector<TreeLink> links;    ///< "world" first
  std::vector<TreeJoint> joints;  ///< a fixed one for a body without joints
  struct Place {
    int line = 0;
    Transform X_WB;  ///< in the configuration of the file
  };
  std::map<std::string, Place> bodies;          ///< by name, "world" too
  std::map<int, std::string> names;             ///< of bodies and joints, by MjcfElement::ordinal
  std::map<std::string, double> references;     ///< `ref` of every hinge and slide [rad or m]
  std::map<std::string, double> effort_ranges;  ///< actuatorfrcrange, where a joint has one
  std::set<std::string> bodies_left_out;        ///< of a scene: not part of the robot
  std::set<std::string> joints_left_out;        ///< hinge, slide, ball and free ones
  /// [kg] Mass of the bodies that are left out, where `settotalmass` needs it; NaN if unknown.
  double mass_left_out = 0.0;
};

/// @throws InputError for what cannot be represented
MjcfBodies readMjcfBodies(const MjcfElement& root,
                          const MjcfCompiler& compiler,
                          const MjcfDefaults& defaults,
                          Remarks& remarks);

}  // namespace dynid
