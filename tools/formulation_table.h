#pragma once

#include "dynid/robot/robot.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dynid::tool {

/// How one formulation of the dynamics compares with the projection method, on this robot.
struct FormulationRow {
  std::string name;
  std::string computes;  ///< what it evaluates
  bool applies = true;   ///< to this robot
  double max_relative_disagreement =
      0.0;  ///< with the projection method: max |difference| / max |torque| over the states
  double tolerance = 0.0;
  double nanoseconds = 0.0;  ///< an evaluation, median over the states

  bool agrees() const { return !applies || max_relative_disagreement <= tolerance; }
};

/// Evaluates every formulation on the same random states and random bodies.
/// @param seed  of both
std::vector<FormulationRow> compareFormulations(const std::shared_ptr<const Robot>& robot,
                                                std::uint64_t seed);

}  // namespace dynid::tool
