#pragma once

#include <Eigen/Core>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

struct Robot;
class TomlReader;

/// What a robot's links fill and what stands around it, as the description says. Lengths in m.
struct Surroundings {
  /// A segment with a radius, fixed to a link, in its frame; a sphere where both ends are one.
  struct Capsule {
    std::string link;
    Eigen::Vector3d from, to;
    double radius = 0.0;
    int line = 0;  ///< of the description
  };
  /// A box that stands still, in the root link's frame.
  struct Box {
    std::string name;
    Eigen::Vector3d center, half;
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  ///< its axes in the root link's frame
  };
  /// The origin of a link has to stay within this box, in the root link's frame.
  struct Workspace {
    std::string link;
    Eigen::Vector3d lower, upper;
    int line = 0;
  };
  std::vector<Capsule> capsules;
  std::vector<std::array<std::string, 2>> ignored_pairs;  ///< links that may touch
  int ignored_line = 0;
  std::vector<Box> boxes;
  std::optional<double> ground;  ///< height of the plane, along z of the root link's frame
  std::optional<Workspace> workspace;

  bool empty() const {
    return capsules.empty() && boxes.empty() && !ground.has_value() && !workspace.has_value();
  }
};

/// Reads `[ground]`, `[workspace]`, `[[obstacle.box]]` and `[collision]` with
/// `[[collision.capsule]]` and `[[collision.sphere]]`. @throws InputError "file:line: ..."
Surroundings readSurroundings(TomlReader& top);

/// The surroundings in the robot's description; its links are looked up.
/// @param file  name of the description, for messages
/// @throws InputError "file:line: ..." for a link that the robot does not have
Surroundings surroundingsOf(const Robot& robot, const std::string& file);

}  // namespace dynid
