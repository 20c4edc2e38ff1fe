#pragma once

#include <string>
#include <string_view>

namespace dynid {

/// `text` as a terminal may show it: control characters other than line ends and tabs become
/// \u001b and the like, which JSON and TOML read back as the same characters; so do the marks that
/// change the direction of writing. Bytes that are not UTF-8 become \x9b and the like.
std::string printable(std::string_view text);

}  // namespace dynid
