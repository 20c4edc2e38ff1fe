#pragma once

#include <string>

namespace dynid::tool {

/// To be called in a catch block: prints the error ("who: error: what") to standard error and
/// returns its exit status.
int reportFailure(const std::string& who) noexcept;

}  // namespace dynid::tool
