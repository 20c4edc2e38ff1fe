#pragma once

#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid::tool {

/// Of one log: the result itself (INTERFACES). Of several: the verdict over all, a list of the
/// results, and why the others cannot be used, which fails the verdict.
std::string toJson(const std::vector<ValidationResult>& results,
                   const std::vector<std::string>& unusable);

bool allPassed(const std::vector<ValidationResult>& results);

}  // namespace dynid::tool
