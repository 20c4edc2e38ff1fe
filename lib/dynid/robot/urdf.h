#pragma once

#include "dynid/robot/robot.h"

#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// A `<link>`: its name and, where the file gives one, its inertia.
struct UrdfLink {
  std::string name;
  int line = 0;
  std::optional<InertialParameters>
      inertial;  ///< about the link's origin, link axes; none for zero mass and inertia
};

enum class UrdfJointType { kFixed, kRevolute, kContinuous, kPrismatic, kFloating };

/// A `<joint>` as written: X_PC is the child link's frame in the parent link's frame at q = 0.
struct UrdfJoint {
  std::string name;
  int line = 0;
  UrdfJointType type = UrdfJointType::kFixed;
  std::string parent, child;  ///< link names
  Transform X_PC;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< unit vector in the child's frame
  JointLimits limits;
  double damping = 0.0;   ///< [N m s/rad or N s/m]
  double friction = 0.0;  ///< [N m or N]
  struct Mimic {
    std::string joint;
    int line = 0;
    double multiplier = 1.0, offset = 0.0;
  };
  std::optional<Mimic> mimic;
  bool moves() const { return type != UrdfJointType::kFixed && type != UrdfJointType::kFloating; }
};

/// What a URDF file says, checked to be one tree of named links: every joint has its two links,
/// every link but one has exactly one parent, no cycle.
struct UrdfDocument {
  std::string file;  ///< name for messages
  std::string name;  ///< of the robot
  std::vector<UrdfLink> links;
  std::vector<UrdfJoint> joints;
  int root = 0;  ///< index of the link without a parent

  /// Index of the named link or joint, -1 if there is none.
  int findLink(const std::string& link) const;
  int findJoint(const std::string& joint) const;
  std::vector<std::string> linkNames() const;
  std::vector<std::string> jointNames() const;
};

/// Reads a URDF (http://wiki.ros.org/urdf/XML). Numbers are read the same in every locale and must
/// be finite; a non-unit axis is normalised; effort or velocity limit 0 means none; visuals,
/// collisions, transmissions, sensors and foreign blocks are passed over.
/// @throws InputError "file:line: ..." for XML that is not well formed, xacro that was not
/// expanded, missing or repeated names, a missing link, a zero axis, an unknown or unsupported
/// joint type, a mass or principal moment that is not positive, a number that is not one; for two
/// parents, a cycle, several roots.
UrdfDocument parseUrdf(const std::string& text, const std::string& file);

}  // namespace dynid
