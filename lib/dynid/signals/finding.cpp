#include "dynid/signals/finding.h"

#include <algorithm>

namespace dynid {

std::string toText(Finding::Severity severity) {
  switch (severity) {
    case Finding::Severity::kNote:
      return "note";
    case Finding::Severity::kRepaired:
      return "repaired";
    case Finding::Severity::kWarning:
      return "warning";
    case Finding::Severity::kRefuse:
      return "refused";
  }
  return "unknown";
}

bool anyRefused(std::span<const Finding> findings) {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity == Finding::Severity::kRefuse;
  });
}

}  // namespace dynid
