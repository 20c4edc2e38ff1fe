#pragma once

#include "dynid/robot/drive.h"
#include "dynid/robot/robot.h"

#include <Eigen/Core>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Content of a robot description (TOML) that its URDF or MJCF cannot hold. Every entry keeps its
/// line for error messages, because most checks need the robot file too. Entries that are not given
/// stay empty.
struct RobotDescription {
  std::string file;        ///< name for messages
  std::string urdf, mjcf;  ///< the file of the bodies as written, relative to the description
  int bodies_line = 0;     ///< line of the key `urdf` or `mjcf`
  std::optional<Eigen::Vector3d> gravity;  ///< [m/s^2], root-link frame
  std::optional<bool> floating_base;
  std::optional<std::array<double, 2>> total_mass;  ///< [kg] lower, upper

  struct IgnoredJoint {
    std::string joint;
    double value = 0.0;  ///< position at which the joint is held [rad or m]
    int line = 0;
  };
  std::vector<IgnoredJoint> ignored;

  struct LinkEntry {
    std::string link;
    int line = 0;
    LinkBounds bounds;
  };
  std::vector<LinkEntry> links;

  /// A table [joint.X], where X is a joint or an actuator of a coupled group.
  struct JointEntry {
    std::string joint;
    int line = 0;
    std::optional<std::vector<FrictionEffect>> friction;  ///< empty: "auto"
    struct Position {
      PositionEffect effect;
      bool side_given = false;  ///< `at` was given
    };
    std::vector<Position> position_effects;
    std::optional<bool> drive_inertia;
    std::optional<double> gear_ratio;
    std::optional<double> drive_gain;  ///< [N m/A]
    bool identify_gain = false;
    std::optional<std::array<double, 2>> position_limits;
    std::optional<double> velocity_limit, acceleration_limit, effort_limit;
    bool passive = false;            ///< a joint of a loop that has no drive
    std::optional<double> assembly;  ///< [rad or m] approximate position in the closed mechanism
    /// the table contains friction, gains or other properties of a drive
    bool describes_drive = false;
  };
  std::vector<JointEntry> joints;

  struct Payload {
    std::string link;
    int line = 0;
  };
  std::optional<Payload> payload;

  /// A coupled group: q_joint = T q_actuator + offset, tau_actuator = T^T tau_joint.
  struct Transmission {
    int line = 0;
    std::vector<std::string> joints, actuators;
    Eigen::MatrixXd T;
    Eigen::VectorXd offset;  ///< [rad or m]
    bool measured_at_actuator = false;
  };
  std::vector<Transmission> transmissions;

  /// A cut joint as written in the description.
  struct LoopEntry {
    std::string file;  ///< file in which it is written; empty: the description
    int line = 0;
    std::string link_a, link_b;
    Loop::Type type = Loop::Type::kRevolute;
    Transform X_A, X_B;  ///< frames of the cut joint in link_a and link_b
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();
  };
  std::vector<LoopEntry> loops;
  const std::string& fileOf(const LoopEntry& loop) const {
    return loop.file.empty() ? file : loop.file;
  }
  /// Joints with an actuator in the MJCF. Among the joints of a loop they are the first to be
  /// driven.
  std::vector<std::string> actuated;
};

/// "" for a gravity of up to 50 m/s^2, else a sentence on what is wrong with it.
std::string faultOfGravity(const Eigen::Vector3d& gravity);

/// Reads a robot description (format: datasets/README.md, "Robot description"); an empty text is an
/// empty description.
/// @throws InputError "file:line: ..." for invalid TOML, above 256 KiB, an unknown key (with the
/// nearest known one), a wrong type, a number that is not finite, a singular coupling, a loop
/// without its links or type.
RobotDescription parseDescription(const std::string& text, const std::string& file);

}  // namespace dynid
