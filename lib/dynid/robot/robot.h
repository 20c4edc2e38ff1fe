#pragma once

#include "dynid/robot/drive.h"
#include "dynid/spatial/inertia.h"
#include "dynid/spatial/transform.h"

#include <Eigen/Core>

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Limits of a joint [rad or m, and per second ...]; infinite where the description gives none.
struct JointLimits {
  double lower = -kInfinity;
  double upper = kInfinity;
  double velocity = kInfinity;
  double acceleration = kInfinity;
  double effort = kInfinity;
};

/// Prior knowledge of the user about the inertia of a link (link frame, about its origin).
struct LinkBounds {
  std::optional<std::array<double, 2>> mass;              ///< [kg] lower, upper
  std::optional<std::array<Eigen::Vector3d, 2>> com_box;  ///< [m] lower, upper corner
  struct Ellipsoid {
    Eigen::Vector3d center, radii;  ///< [m], axes parallel to the link frame
  };
  std::optional<Ellipsoid> ellipsoid;  ///< contains all of the mass
};

/// A moving rigid body: the link behind a moving joint and everything that is fixed to it. Its
/// frame is the joint's frame. In a URDF this is also the frame of that link; in an MJCF it is the
/// frame of the MJCF body moved to the joint's `pos`. The body moves relative to its parent by
///
///     X_PB(q_B) = X_PJ * motion(axis, q_B),   q_B = multiplier * q[joint] + offset
///
/// with motion = rotation about, or translation along, `axis` (unit vector, the same in J and B).
struct Body {
  std::string name;        ///< of the leading link
  std::string joint_name;  ///< of the moving joint in front of it (for a mimic joint its name, not
                           ///< the name of the joint it follows)
  int parent = -1;         ///< index of the parent body; -1: the root link (the world)
  Transform
      X_PJ;  ///< joint frame in the parent body's frame (in the root link's frame if parent == -1)
  bool prismatic = false;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  int joint = -1;           ///< index of the independent joint that moves it; of a passive joint
                            ///< (Robot::passive_joints): number of joints + its index there
  double multiplier = 1.0;  ///< mimic: of that joint's position; 1 for the joint itself
  double offset = 0.0;      ///< mimic [rad or m]; 0 for the joint itself
  /// Sum of the described inertias of its links, about its origin. Empty if none has an inertia, if
  /// a link has one that no body can have (InertialFault), or if one behind a moving joint has none
  /// although it has mass: it has geometry, or no link of the file has. Identification uses it as a
  /// prior if its pseudo-inertia is positive definite.
  std::optional<InertialParameters> prior;
  /// A frame without mass by construction, between two joints of one MJCF body or two coordinates
  /// of a floating base. Its ten parameters are zero and are not estimated.
  bool massless = false;
  LinkBounds bounds;
  struct FixedLink {
    std::string name;
    Transform X_BL;  ///< pose of the link in the body's frame
    std::optional<InertialParameters>
        inertial;  ///< inertia of this link alone, about its own origin, in its own axes
    std::optional<InertialParameters> rejected;  ///< the described inertia if no body can have it
    bool massless = false;                       ///< a frame between two joints of one MJCF body
    bool held = false;                           ///< behind a joint that moves but is held
  };
  std::vector<FixedLink> links;  ///< all links of the body, the leading one first
};

/// An independent joint: one coordinate of q, one effort channel of a log.
struct Joint {
  std::string name;
  bool prismatic = false;
  bool continuous = false;
  int body = -1;  ///< the body that it moves directly (bodies of mimic joints refer to this joint
                  ///< in Body::joint)
  JointLimits limits;
  double damping = 0.0;           ///< URDF dynamics damping, MJCF damping [N m s/rad or N s/m]
  double friction = 0.0;          ///< URDF dynamics friction, MJCF frictionloss [N m or N]
  double drive_inertia = 0.0;     ///< MJCF armature [kg m^2 or kg]
  double stiffness = 0.0;         ///< MJCF stiffness: effort -stiffness (q - spring_reference)
                                  ///< [N m/rad or N/m]
  double spring_reference = 0.0;  ///< [rad or m]
};

/// A cut joint: a joint outside the tree that connects two links of the tree, so that they form a
/// closed loop. Frame A is fixed to link_a, frame B to link_b. The relative motion that the joint
/// allows: none (fixed), rotation about `axis` (revolute, continuous), translation along it
/// (prismatic), any rotation (spherical).
struct Loop {
  enum class Type { kRevolute, kPrismatic, kSpherical, kFixed };
  std::string name;  ///< "link_a - link_b"
  Type type = Type::kRevolute;
  int body_a = -1, body_b = -1;                     ///< -1: the root link
  Transform X_A, X_B;                               ///< of the frames in their bodies
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< unit vector, in A and in B
  std::vector<int> joints;  ///< tree coordinates that move frame A relative to frame B
};

/// A robot: a tree of moving bodies on the root link, with its joints, drives and couplings. It is
/// not changed after loading.
///
/// Bodies are in topological order (parents first). The joint coordinates q have one entry per
/// independent joint. With a transmission, q = T q_actuator + offset and tau_actuator = T^T
/// tau_joint (T is block-diagonal; it is the identity without coupling).
///
/// In a robot with loops only the driven joints are independent; the positions of the passive
/// joints follow from them, because the loops close. Tree coordinates are the joints followed by
/// the passive joints.
struct Robot {
  std::string name;
  std::string root_link;
  bool floating_base = false;  ///< the root link itself moves freely (six more coordinates,
                               ///< channels `base/...` of a log)
  Eigen::Vector3d gravity{0.0, 0.0, -9.80665};  ///< [m/s^2] in the root link's frame
  std::vector<Body::FixedLink>
      root_links;  ///< the root link and all links fixed to it, poses in the root link's frame
  std::optional<InertialParameters>
      root_prior;  ///< their total inertia about the root link's origin (used if the base floats)
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Loop> loops;            ///< cut joints; none: a tree
  std::vector<Joint> passive_joints;  ///< determined by the loops
  /// [tree coordinates] a position in which all loops are closed. It selects the assembly branch:
  /// the mechanism is taken to move only between positions that it can reach from here.
  Eigen::VectorXd assembly;
  std::vector<Drive> drives;  ///< one per actuator; without coupling actuator i belongs to joint i
  Eigen::MatrixXd T;          ///< [joints x actuators] transmission
  Eigen::VectorXd transmission_offset;  ///< [joints] rad or m
  /// True if the log's position, velocity and effort columns of this joint or actuator are on the
  /// actuator side. The columns are then named after the actuators.
  std::vector<bool> measured_at_actuator;
  std::optional<std::array<double, 2>> total_mass;  ///< bounds [kg], sum over the moving bodies
  std::optional<std::string>
      payload_link;  ///< link of a log's payload, unless the log names another one
  std::map<std::string, double> ignored_joints;  ///< held at these values [rad or m]

  std::vector<std::string> warnings;  ///< content of the files that is not used, one line per kind

  std::string description_text;  ///< the TOML as read ("" for a bare URDF or MJCF)
  std::string urdf_text;         ///< the URDF as read; "" where an MJCF describes the robot
  std::string mjcf_text;  ///< the MJCF with its includes; "" where a URDF describes the robot
  std::string sha256;     ///< of the texts; identifies the robot in statistics and models

  /// "urdf" or "mjcf": the kind of file that describes the bodies.
  const char* bodySource() const { return mjcf_text.empty() ? "urdf" : "mjcf"; }
  int numJoints() const { return static_cast<int>(joints.size()); }
  /// Number of tree coordinates: joints and passive joints.
  int numTreeJoints() const { return numJoints() + static_cast<int>(passive_joints.size()); }
  const Joint& treeJoint(int j) const {
    return j < numJoints() ? joints[j] : passive_joints[j - numJoints()];
  }
  int numBodies() const { return static_cast<int>(bodies.size()); }
  std::vector<std::string> jointNames() const;
  std::vector<std::string> actuatorNames() const;
  /// Names of this robot's columns in a log: joints, or actuators where `measured_at_actuator`.
  std::vector<std::string> logColumnNames() const;
  /// The body that contains the named link, and the pose of the link in it. @throws
  /// std::invalid_argument with suggestions.
  std::pair<int, Transform> findLink(const std::string& link) const;
  /// Index of a joint. @throws std::invalid_argument with suggestions.
  int jointIndex(const std::string& joint) const;
  /// Whether the actuator drives other joints than the joint with its number, or does not drive it
  /// one to one.
  bool isCoupled(int actuator) const;
  /// The bodies whose motion depends on joint j: the bodies that it moves directly, by mimic
  /// joints, or by passive joints of a loop that it moves, and their descendants.
  std::vector<bool> bodiesMovedBy(int joint) const;
  /// The tree coordinates that depend on joint j: itself and the passive joints of the loops that
  /// it moves, directly or through other loops.
  std::vector<bool> coordinatesMovedBy(int joint) const;
  /// Mass of the moving bodies by their prior inertials [kg]; NaN if one that has mass has none.
  double priorMass() const;
};

}  // namespace dynid
