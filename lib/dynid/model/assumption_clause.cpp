#include "dynid/model/assumption_clause.h"

#include "dynid/core/text.h"

namespace dynid {

std::string assumptionClause(const std::vector<std::string>& assumptions) {
  return assumptions.empty() ? "" : "under the assumption that " + join(assumptions, ", and that ");
}

}  // namespace dynid
