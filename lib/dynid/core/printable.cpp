#include "dynid/core/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>

namespace dynid {
namespace {

/// A character of UTF-8 text; length 0: the bytes are not valid UTF-8.
struct Character {
  std::uint32_t code = 0;
  size_t length = 0;
};

Character firstCharacter(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return {};
  std::uint32_t code = byte(0) & (0x7fU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kSmallest[length] || code > 0x10ffff || surrogate) return {};
  return {code, length};
}

/// Whether a character controls the terminal instead of being displayed.
bool commandsTerminal(std::uint32_t code) {
  if (code < 0x20) return code != '\n' && code != '\t';
  const bool control = code >= 0x7f && code <= 0x9f;
  const bool line_end = code == 0x2028 || code == 0x2029;
  const bool direction = code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
                         (code >= 0x2066 && code <= 0x2069);
  return control || line_end || direction;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Character character = firstCharacter(text);
    const size_t length = std::max<size_t>(character.length, 1);
    if (character.length == 0)
      shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (commandsTerminal(character.code))
      shown += fmt::format("\\u{:04x}", character.code);
    else
      shown += text.substr(0, length);
    text.remove_prefix(length);
  }
  return shown;
}

bool isUtf8(std::string_view bytes) {
  size_t i = 0;
  const auto at = [&](size_t k) {
    return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0U;
  };
  while (i < bytes.size()) {
    const unsigned lead = at(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4) return false;
    for (size_t k = 1; k < length; ++k)
      if ((at(i + k) & 0xC0U) != 0x80U) return false;
    const unsigned second = at(i + 1);  // overlong forms, surrogates, beyond U+10FFFF
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F))
      return false;
    i += length;
  }
  return true;
}

}  // namespace dynid
