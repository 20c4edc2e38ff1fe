#pragma once

#include "dynid/math/eigen_memory.h"

#include <Eigen/Core>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace dynid {

struct Robot;
class TomlReader;

/// The volumes of a robot's links and the obstacles around it, as described. Lengths in m.
struct Surroundings {
  /// A capsule: a line segment with a radius, in the frame of the link to which it is fixed; a
  /// sphere if both ends are equal.
  struct Capsule {
    std::string link;
    Eigen::Vector3d from, to;
    double radius = 0.0;
    int line = 0;  ///< of the description
  };
  /// A fixed box, in the root link's frame.
  struct Box {
    std::string name;
    Eigen::Vector3d center, half;
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  ///< its axes in the root link's frame
  };
  /// A box in the root link's frame in which the origin of a link must stay.
  struct Workspace {
    std::string link;
    Eigen::Vector3d lower, upper;
    int line = 0;
  };
  std::vector<Capsule> capsules;
  std::vector<std::array<std::string, 2>> ignored_pairs;  ///< links that may touch
  int ignored_line = 0;  ///< of the description: where `ignored_pairs` is given
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

/// Reads the surroundings from the robot's description and checks the names of the links.
/// @param file  name of the description, for messages
/// @throws InputError "file:line: ..." for a link that the robot does not have
Surroundings surroundingsOf(const Robot& robot, const std::string& file);

}  // namespace dynid
