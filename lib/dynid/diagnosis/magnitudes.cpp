#include "dynid/diagnosis/magnitudes.h"

#include <algorithm>

namespace dynid {

bool isMagnitude(const Finding& finding) { return finding.code == "raw-effort-unsigned"; }

bool onlyMagnitudes(std::span<const Finding> findings) {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity != Finding::Severity::kRefuse || isMagnitude(finding);
  });
}

std::vector<Eigen::Index> channelsOfOneSign(std::span<const RawSignals> windows) {
  std::vector<Eigen::Index> channels;
  for (Eigen::Index c = 0; c < windows.front().effort.cols(); ++c) {
    bool positive = false, negative = false;
    for (const RawSignals& window : windows)
      for (const double effort : window.effort.col(c)) {
        positive |= effort > 0.0;
        negative |= effort < 0.0;
      }
    if (!positive || !negative) channels.push_back(c);
  }
  return channels;
}

}  // namespace dynid
