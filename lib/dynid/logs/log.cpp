#include "dynid/logs/log.h"

namespace dynid {

std::string toText(EffortKind kind) {
  switch (kind) {
    case EffortKind::kEffort:
      return "effort";
    case EffortKind::kCurrent:
      return "current";
    case EffortKind::kNone:
      return "none";
  }
  return "none";
}

}  // namespace dynid
