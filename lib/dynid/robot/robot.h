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

/// What the user knows about the inertia of a link (link frame, about its origin).
struct LinkBounds {
  std::optional<std::array<double, 2>> mass;              ///< [kg] lower, upper
  std::optional<std::array<Eigen::Vector3d, 2>> com_box;  ///< [m] lower, upper corner
  struct Ellipsoid {
    Eigen::Vector3d center, radii;  ///< [m], axes parallel to the link frame
  };
  std::optional<Ellipsoid> ellipsoid;  ///< all of the mass lies inside
};

/// A moving rigid body: the link behind a moving joint and everything that is fixed to it. Its
/// frame is the joint's frame, which in a URDF is that link's frame too; in an MJCF it is the frame
/// of the MJCF body moved to the joint's `pos`. The body moves relative to its parent by
///
///     X_PB(q_B) = X_PJ * motion(axis, q_B),   q_B = multiplier * q[joint] + offset
///
/// with motion = rotation about, or translation along, `axis` (unit vector, the same in J and B).
struct Body {
  std::string name;        ///< of the leading link
  std::string joint_name;  ///< of the moving joint in front of it (own name, also for mimic joints)
  int parent = -1;         ///< index of the parent body; -1: the root link (the world)
  Transform
      X_PJ;  ///< joint frame in the parent body's frame (in the root link's frame if parent == -1)
  bool prismatic = false;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  int joint = -1;           ///< index of the independent joint that moves it; of a passive joint
                            ///< (Robot::passive_joints): number of joints + its index there
  double multiplier = 1.0;  ///< mimic: of that joint's position; 1 for the joint itself
  double offset = 0.0;      ///< mimic [rad or m]; 0 for the joint itself
  /// Sum of the inertias that the description gives its links, about its origin; none if a link
  /// with a moving joint in front has none, or one that no body can have (InertialFault). Whether
  /// identification can use it as a prior says usableAsPrior (robot/plausibility.h).
  std::optional<InertialParameters> prior;
  LinkBounds bounds;
  struct FixedLink {
    std::string name;
    Transform X_BL;  ///< pose of the link in the body's frame
    std::optional<InertialParameters>
        inertial;  ///< its own inertia, about its own origin, in its own axes
    std::optional<InertialParameters> rejected;  ///< what the description says instead of
                                                 ///< `inertial`, but no body can have
  };
  std::vector<FixedLink> links;  ///< all links of the body, the leading one first
};

/// An independent joint: one coordinate of q, one effort channel of a log.
struct Joint {
  std::string name;
  bool prismatic = false;
  bool continuous = false;
  int body = -1;  ///< the body it moves directly (mimicking bodies name this joint in Body::joint)
  JointLimits limits;
  double damping = 0.0;           ///< URDF dynamics damping, MJCF damping [N m s/rad or N s/m]
  double friction = 0.0;          ///< URDF dynamics friction, MJCF frictionloss [N m or N]
  double drive_inertia = 0.0;     ///< MJCF armature [kg m^2 or kg]
  double stiffness = 0.0;         ///< MJCF stiffness: effort -stiffness (q - spring_reference)
                                  ///< [N m/rad or N/m]
  double spring_reference = 0.0;  ///< [rad or m]
};

/// A cut joint: two links of the tree that a joint outside the tree holds together, so that they
/// close a chain. Frame A sits on link_a, frame B on link_b; the joint leaves B this freedom in A:
/// none (fixed), a rotation about `axis` (revolute, continuous), a translation along it
/// (prismatic), any rotation (spherical).
struct Loop {
  enum class Type { kRevolute, kPrismatic, kSpherical, kFixed };
  std::string name;  ///< "link_a - link_b"
  Type type = Type::kRevolute;
  int body_a = -1, body_b = -1;                     ///< -1: the root link
  Transform X_A, X_B;                               ///< of the frames in their bodies
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< unit vector, in A and in B
  std::vector<int> joints;  ///< tree coordinates that move one frame against the other
};

/// An immutable robot: a tree of moving bodies over the root link, its joints, drives and
/// couplings.
///
/// Bodies stand in topological order (parents first). Joint coordinates q have one entry an
/// independent joint. With a transmission, q = T q_actuator + offset and tau_actuator = T^T
/// tau_joint (T block-diagonal, identity without coupling).
///
/// With loops the driven joints alone are the independent ones; the passive joints follow from them
/// (robot/loop_closure.h). Tree coordinates are both: the joints first, then the passive ones.
struct Robot {
  std::string name;
  std::string root_link;
  bool floating_base = false;  ///< the root link itself moves freely (six more coordinates,
                               ///< channels `base/...` of a log)
  Eigen::Vector3d gravity{0.0, 0.0, -9.80665};  ///< [m/s^2] in the root link's frame
  std::vector<Body::FixedLink>
      root_links;  ///< the root link and all that is fixed to it, poses in the root link's frame
  std::optional<InertialParameters>
      root_prior;  ///< of these together, about the root link's origin (used where it floats)
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Loop> loops;            ///< cut joints; none: a tree
  std::vector<Joint> passive_joints;  ///< determined by the loops
  /// [tree coordinates] a position in which all loops are closed. The mechanism is the assembly
  /// that can be reached from here without taking it apart.
  Eigen::VectorXd assembly;
  std::vector<Drive>
      drives;         ///< one an actuator; actuator i stands for joint i where there is no coupling
  Eigen::MatrixXd T;  ///< [joints x actuators] transmission
  Eigen::VectorXd transmission_offset;  ///< [joints] rad or m
  /// True where the log's position, velocity and effort columns of this joint/actuator are on the
  /// actuator side (columns are then named after the actuators).
  std::vector<bool> measured_at_actuator;
  std::optional<std::array<double, 2>> total_mass;  ///< bounds [kg], sum over the moving bodies
  std::optional<std::string>
      payload_link;  ///< where a log's payload sits unless the log says so itself
  std::map<std::string, double> ignored_joints;  ///< held at these values

  std::vector<std::string> warnings;  ///< what the files say that is not used, one line per kind

  std::string description_text;  ///< the TOML as read ("" for a bare URDF or MJCF)
  std::string urdf_text;         ///< the URDF as read; "" where an MJCF describes the robot
  std::string mjcf_text;  ///< the MJCF with its includes; "" where a URDF describes the robot
  std::string sha256;     ///< of the texts; identifies the robot in statistics and models

  /// "urdf" or "mjcf": the kind of file that describes the bodies.
  const char* bodySource() const { return mjcf_text.empty() ? "urdf" : "mjcf"; }
  int numJoints() const { return static_cast<int>(joints.size()); }
  /// Coordinates of the tree: joints and passive joints.
  int numTreeJoints() const { return numJoints() + static_cast<int>(passive_joints.size()); }
  const Joint& treeJoint(int j) const {
    return j < numJoints() ? joints[static_cast<size_t>(j)]
                           : passive_joints[static_cast<size_t>(j - numJoints())];
  }
  int numBodies() const { return static_cast<int>(bodies.size()); }
  std::vector<std::string> jointNames() const;
  std::vector<std::string> actuatorNames() const;
  /// Names under which a log holds this robot's columns: joints, or actuators where
  /// `measured_at_actuator`.
  std::vector<std::string> logColumnNames() const;
  /// Body that carries the named link, and the link's pose in it. @throws std::invalid_argument
  /// with suggestions.
  std::pair<int, Transform> findLink(const std::string& link) const;
  /// Index of a joint. @throws std::invalid_argument with suggestions.
  int jointIndex(const std::string& joint) const;
  /// The bodies whose motion depends on joint j: those moved by it (or mimicking it, or by a
  /// passive joint of a loop that it moves) and their descendants.
  std::vector<bool> bodiesMovedBy(int joint) const;
  /// The tree coordinates that can follow joint j: itself and the passive joints of the loops that
  /// it moves, directly or through other loops.
  std::vector<bool> coordinatesMovedBy(int joint) const;
};

}  // namespace dynid
