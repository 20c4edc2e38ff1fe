#include "dynid/identification/slow_motion.h"

#include "dynid/core/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace dynid {
namespace {

/// The share of its velocity limit that a joint reaches in a log; 1: no note says that it is low.
double speedShare(const std::vector<Finding>& findings, int joint) {
  for (const Finding& finding : findings)
    if (finding.code == "speed-low" && finding.joint == joint) return finding.value;
  return 1.0;
}

}  // namespace

std::string slowMotion(const Model& model, const std::vector<std::vector<Finding>>& audits) {
  // The logs of saved statistics are not audited.
  if (audits.empty() || audits.size() < model.provenance.logs.size()) return "";
  const std::vector<std::string> names = model.robot->logColumnNames();
  std::vector<std::string> joints;
  for (int j = 0; j < std::ssize(names); ++j) {
    double largest = 0.0;
    for (const std::vector<Finding>& findings : audits)
      largest = std::max(largest, speedShare(findings, j));
    if (largest < 1.0) joints.push_back(fmt::format("{} {:.0f} %", names[j], 100.0 * largest));
  }
  if (joints.empty()) return "";
  return fmt::format(
      "the logs reach a small part of the velocity limit of {}: friction and inertia above these "
      "speeds are extrapolated; record faster motion (dynid excite)",
      join(joints));
}

}  // namespace dynid
