#pragma once

#include "dynid/robot/inertial_fault.h"
#include "dynid/robot/remarks.h"
#include "dynid/robot/robot.h"

#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// A link of a robot file (URDF `<link>`, MJCF `<body>`).
struct TreeLink {
  std::string name;
  int line = 0;
  /// Inertial parameters about the link's origin, in link axes. Zero for a massless frame; empty if
  /// the file gives none or an invalid inertia.
  std::optional<InertialParameters> inertial;
  bool massless = false;                       ///< a frame between two joints of one MJCF body
  bool has_shape = false;                      ///< the file gives it geometry, so that it has mass
  InertialFault fault = InertialFault::kNone;  ///< why the inertia of the file is not in `inertial`
  /// the inertia as written if it has a fault, for `check`
  std::optional<InertialParameters> rejected;
};

enum class TreeJointType { kFixed, kRevolute, kContinuous, kPrismatic, kFloating, kUnsupported };

/// A joint of a robot file. Frame J coincides with the joint's frame F (fixed in the parent link)
/// at q = 0 and moves with the child link:
///
///     X_PC(q) = X_PF * motion(axis, q) * X_JC
struct TreeJoint {
  std::string name;
  int line = 0;
  TreeJointType type = TreeJointType::kFixed;
  std::string unsupported;    ///< of kUnsupported: the type as written
  std::string parent, child;  ///< link names
  Transform X_PF;
  Transform X_JC;                                   ///< URDF: identity; MJCF: the joint's `pos`
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< unit vector, in F and J
  JointLimits limits;
  double damping = 0.0;           ///< [N m s/rad or N s/m]
  double friction = 0.0;          ///< [N m or N]
  double drive_inertia = 0.0;     ///< MJCF `armature` [kg m^2 or kg]
  double stiffness = 0.0;         ///< MJCF [N m/rad or N/m]
  double spring_reference = 0.0;  ///< MJCF `springref` [rad or m]
  struct Mimic {
    std::string joint;
    int line = 0;
    double multiplier = 1.0, offset = 0.0;
  };
  std::optional<Mimic> mimic;
  bool moves() const { return type != TreeJointType::kFixed && type != TreeJointType::kFloating; }
};

/// The parsed content of a robot file: one tree of named links. Every joint has two links, every
/// link except the root has exactly one parent, and there is no cycle.
struct TreeDocument {
  std::string file;  ///< name for messages
  std::string name;  ///< of the robot
  std::vector<TreeLink> links;
  std::vector<TreeJoint> joints;
  int root = 0;     ///< index of the link without a parent
  Remarks remarks;  ///< deviations of the reader from the file

  /// Index of the named link or joint, -1 if there is none.
  int findLink(const std::string& link) const;
  int findJoint(const std::string& joint) const;
  std::vector<std::string> linkNames() const;
  std::vector<std::string> jointNames() const;
};

/// Checks that links and joints form one tree, and finds its root.
/// @throws InputError "file:line: ..." for a joint that names an unknown link, a link with two
/// parents, a cycle, or several roots
void checkTree(TreeDocument& document);

}  // namespace dynid
