#include "dynid/identification/positions_outside.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace dynid {

std::optional<PositionsOutside> positionsOutside(const Model& model,
                                                 const std::vector<std::vector<Finding>>& audits) {
  constexpr double kMostPositions = 0.5;
  PositionsOutside outside;
  std::vector<std::string> messages;
  std::string remedy;
  for (const std::vector<Finding>& findings : audits) {
    std::size_t joints = 0;
    for (const Finding& finding : findings) {
      if (finding.code != "position-limit" || !(finding.value > kMostPositions)) continue;
      ++joints;
      remedy = finding.remedy;
      if (std::find(messages.begin(), messages.end(), finding.message) == messages.end())
        messages.push_back(finding.message);
    }
    outside.of_most_joints = outside.of_most_joints || 2 * joints > model.fit.per_joint.size();
  }
  if (messages.empty()) return std::nullopt;
  outside.text = fmt::format("{}; {}", join(messages, "; "), remedy);
  return outside;
}

}  // namespace dynid
