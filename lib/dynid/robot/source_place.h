#pragma once

#include "dynid/core/errors.h"

#include <string>

namespace dynid {

/// @throws InputError "file:line: message", always
[[noreturn]] inline void failAt(const std::string& file, int line, const std::string& message) {
  throw InputError(file + ":" + std::to_string(line) + ": " + message);
}

}  // namespace dynid
