#pragma once

#include "dynid/validation/validation.h"

#include <string>

namespace dynid {

/// The JSON output of `validate --json`. A number that does not exist (R2 of a constant channel) is
/// null.
std::string toJson(const ValidationResult& result);

}  // namespace dynid
