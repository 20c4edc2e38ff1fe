#pragma once

#include "dynid/model/model.h"
#include "dynid/signals/finding.h"

#include <optional>
#include <string>
#include <vector>

namespace dynid {

/// Doubts about a model because of positions outside the limits of the description.
struct PositionsOutside {
  std::string text;  ///< which joints of which share, and the remedy
  /// More than half of the joints in one log: zero positions, units or the order of the columns are
  /// wrong, or the limits. The model must not be used.
  bool of_most_joints = false;
};

/// @param audits  per log; judged are findings "position-limit" of more than half of the positions
/// @returns none where no joint has such a finding
std::optional<PositionsOutside> positionsOutside(const Model& model,
                                                 const std::vector<std::vector<Finding>>& audits);

}  // namespace dynid
