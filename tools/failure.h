#pragma once

#include <string>

namespace dynid::tool {

/// What the user can do when memory runs out; part of all messages about it.
inline constexpr const char* kMemoryAdvice =
    "give fewer --threads, a shorter time range (--from, --to), or free memory "
    "(`ulimit -v`, the limit of the container)";

/// To be called in a catch block: prints the error ("who: error: what") to standard error and
/// returns its exit status.
int reportFailure(const std::string& who) noexcept;

}  // namespace dynid::tool
