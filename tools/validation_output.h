#pragma once

#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid::tool {

/// JSON output. For one log: the result itself. For several: the verdict over all, a list of the
/// results, and the reasons why other logs cannot be used, which fail the verdict.
std::string toJson(const std::vector<ValidationResult>& results,
                   const std::vector<std::string>& unusable);

bool allPassed(const std::vector<ValidationResult>& results);

}  // namespace dynid::tool
