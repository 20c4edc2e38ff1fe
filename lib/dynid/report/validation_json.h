#pragma once

#include "dynid/validation/validation.h"

#include <string>

namespace dynid {

/// What `validate --json` prints (INTERFACES). A number that does not exist (R2 of a constant
/// channel) is null.
std::string toJson(const ValidationResult& result);

}  // namespace dynid
