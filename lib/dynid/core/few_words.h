#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace dynid {

/// "a, b, c and 40 more": at most `most` words, all of them if only one more would be left out.
std::string joinFew(std::span<const std::string> words, std::size_t most = 12);

}  // namespace dynid
