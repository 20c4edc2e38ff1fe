#pragma once

#include "dynid/core/errors.h"

#include <string>

namespace dynid {

/// Refuses an input file at a line: throws InputError "file:line: message".
[[noreturn]] inline void failAt(const std::string& file, int line, const std::string& message) {
  throw InputError(file + ":" + std::to_string(line) + ": " + message);
}

}  // namespace dynid
