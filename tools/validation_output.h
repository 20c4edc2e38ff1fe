#pragma once

#include "dynid/validation/validation.h"

#include <string>
#include <vector>

namespace dynid::tool {

/// One log: the result itself (INTERFACES); several: the verdict over all and a list of results.
std::string toJson(const std::vector<ValidationResult>& results);

bool allPassed(const std::vector<ValidationResult>& results);

}  // namespace dynid::tool
