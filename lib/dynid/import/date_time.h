#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dynid {

/// Parses a date and time as in ISO 8601, 2024-05-01T12:00:00.25Z: with a blank instead of T, any
/// number of decimals, Z, +02:00 or no time zone (UTC is then assumed). The date may also be
/// 2024/05/01 or 01.05.2024 (day, month, year).
/// @returns [ns] since 1970 in UTC; nothing: another text
std::optional<std::int64_t> parseDateTime(std::string_view text);

/// Parses a time of day, 12:00:00.25 or 9:00:00, with any number of decimals.
/// @returns [ns] since midnight; nothing: another text
std::optional<std::int64_t> parseTimeOfDay(std::string_view text);

}  // namespace dynid
