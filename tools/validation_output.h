#pragma once

#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid::tool {

/// Of one log: the result itself (INTERFACES). @param several  were asked for: the verdict over all
/// and a list of the results
std::string toJson(const std::vector<ValidationResult>& results, bool several);

bool allPassed(const std::vector<ValidationResult>& results);

}  // namespace dynid::tool
