#pragma once

#include <string>

namespace dynid::tool {

/// Inside a catch block: says on standard error what went wrong ("who: error: what") and returns
/// the exit status for it.
int reportFailure(const std::string& who) noexcept;

}  // namespace dynid::tool
