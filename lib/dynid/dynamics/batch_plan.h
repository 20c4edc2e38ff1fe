#pragma once

#include "dynid/kernels/requests.h"
#include "dynid/robot/robot.h"

#include <utility>
#include <vector>

namespace dynid {

/// A robot's tree as the batch kernels see it, each body in its batchFrame.
struct TreePlan {
  std::vector<BatchBody> bodies;
  std::vector<BatchPair> pairs;
  /// Of a tree coordinate: the bodies it moves, ascending.
  std::vector<std::vector<int>> moved;
  /// Where the kernel's columns go, ten a pair: tree coordinate t, column of Y[t], in which the ten
  /// parameters of each of moved[t] stand side by side.
  std::vector<std::pair<int, int>> columns;
  int num_motions = 0, num_slots = 0;  ///< places in the kernel's scratch
  double base_acceleration[3] = {};    ///< proper: minus gravity

  /// The kernels' view, as long as this lives where it is.
  BatchPlan view() const;
};

/// The plan of all bodies and tree coordinates, whatever the loops.
/// @param robot  its bodies parents first
TreePlan treePlan(const Robot& robot);

}  // namespace dynid
