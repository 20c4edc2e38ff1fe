#pragma once

#include "dynid/kernels/requests.h"
#include "dynid/robot/robot.h"

#include <utility>
#include <vector>

namespace dynid {

/// A robot's tree in the form that the batch kernels read, each body in its batchFrame.
struct TreePlan {
  std::vector<BatchBody> bodies;
  std::vector<BatchPair> pairs;
  /// For each tree coordinate: the bodies it moves, ascending.
  std::vector<std::vector<int>> moved;
  /// Destination of the kernel's columns, ten per pair: tree coordinate t and column of Y[t]. Y[t]
  /// holds the ten parameters of each body in moved[t] next to each other.
  std::vector<std::pair<int, int>> columns;
  int num_motions = 0, num_slots = 0;  ///< size of the kernel's working memory
  double base_acceleration[3] = {};    ///< proper acceleration: minus gravity [m/s^2]

  /// The plan as the kernels take it. It points into this object and is valid as long as this
  /// object is neither destroyed nor moved.
  BatchPlan view() const;
};

/// The plan for all bodies and tree coordinates; loop closures are not considered.
/// @param robot  its bodies are ordered parents first
TreePlan treePlan(const Robot& robot);
/// The plan for some of the tree coordinates, without the bodies that do not affect their rows.
TreePlan treePlan(const Robot& robot, const std::vector<bool>& wanted);

}  // namespace dynid
