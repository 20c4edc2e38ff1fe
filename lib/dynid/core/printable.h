#pragma once

#include <string>
#include <string_view>

namespace dynid {

/// `text` in a form that is safe to print to a terminal. Control characters other than line ends
/// and tabs, and marks that change the writing direction, become escapes such as \\u001b, which
/// JSON and TOML read back as the same characters. Bytes that are not UTF-8 become \\x9b and the
/// like.
std::string printable(std::string_view text);

/// True if the bytes are well-formed UTF-8 (RFC 3629).
bool isUtf8(std::string_view bytes);

}  // namespace dynid
