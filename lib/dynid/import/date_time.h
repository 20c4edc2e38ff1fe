#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dynid {

/// Parses a date and time as in ISO 8601, 2024-05-01T12:00:00.25Z: with a blank instead of T, any
/// number of decimals, Z, +02:00 or no time zone (UTC is then assumed).
/// @returns [ns] since 1970 in UTC
std::optional<std::int64_t> parseDateTime(std::string_view text);

}  // namespace dynid
