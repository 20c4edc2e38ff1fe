#include "dynid/import/date_time.h"

#include "dynid/core/text.h"

#include <chrono>

namespace dynid {
namespace {

struct DateTimeParts {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  std::int64_t nanoseconds = 0, zone_s = 0;
};

/// Takes `count` digits from the front of the text; nothing if there are other characters.
std::optional<int> takeDigits(std::string_view& text, size_t count) {
  int number = 0;
  if (text.size() < count) return std::nullopt;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool takeOneOf(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

/// Up to 18 decimals of a second, of which nine count.
std::optional<std::int64_t> takeNanoseconds(std::string_view& text) {
  std::int64_t nanoseconds = 0;
  int digits = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; ++digits) {
    if (digits < 9) nanoseconds = 10 * nanoseconds + (text.front() - '0');
    text.remove_prefix(1);
  }
  if (digits < 1 || digits > 18) return std::nullopt;
  for (; digits < 9; ++digits) nanoseconds *= 10;
  return nanoseconds;
}

/// "Z", "+01", "+0100" or "-01:00" in seconds east of Greenwich; nothing: none.
std::optional<std::int64_t> takeZone(std::string_view& text) {
  if (text.empty() || takeOneOf(text, "Z")) return 0;
  const std::int64_t sign = text.front() == '-' ? -1 : 1;
  if (!takeOneOf(text, "+-")) return std::nullopt;
  const std::optional<int> hours = takeDigits(text, 2);
  if (!hours || text.empty()) return hours ? std::optional(sign * *hours * 3600) : std::nullopt;
  takeOneOf(text, ":");
  const std::optional<int> minutes = takeDigits(text, 2);
  if (!minutes) return std::nullopt;
  return sign * (*hours * 3600 + *minutes * 60);
}

/// YYYY-MM-DD, "T" or a blank, hh:mm:ss, decimals of a second and a zone where there are any.
std::optional<DateTimeParts> splitDateTime(std::string_view text) {
  DateTimeParts part;
  struct Field {
    int* number;
    size_t digits;
    std::string_view after;
  };
  for (const Field& field : {Field{&part.year, 4, "-"},
                             Field{&part.month, 2, "-"},
                             Field{&part.day, 2, "T "},
                             Field{&part.hour, 2, ":"},
                             Field{&part.minute, 2, ":"},
                             Field{&part.second, 2, ""}}) {
    const std::optional<int> number = takeDigits(text, field.digits);
    if (!number || (!field.after.empty() && !takeOneOf(text, field.after))) return std::nullopt;
    *field.number = *number;
  }
  if (takeOneOf(text, ".,")) {
    const std::optional<std::int64_t> nanoseconds = takeNanoseconds(text);
    if (!nanoseconds) return std::nullopt;
    part.nanoseconds = *nanoseconds;
  }
  const std::optional<std::int64_t> zone = takeZone(text);
  if (!zone || !text.empty()) return std::nullopt;
  part.zone_s = *zone;
  return part;
}

}  // namespace

std::optional<std::int64_t> parseDateTime(std::string_view text) {
  text = trim(text);
  // Nearly all fields are numbers: a date has a hyphen in this place.
  if (text.size() < 19 || text.size() > 48 || text[4] != '-') return std::nullopt;
  const std::optional<DateTimeParts> part = splitDateTime(text);
  if (!part) return std::nullopt;
  const std::chrono::year_month_day day(std::chrono::year(part->year),
                                        std::chrono::month(static_cast<unsigned>(part->month)),
                                        std::chrono::day(static_cast<unsigned>(part->day)));
  if (!day.ok() || part->year < 1700 || part->year > 2200 || part->hour > 23 || part->minute > 59 ||
      part->second > 60)
    return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(day).time_since_epoch().count();
  const std::int64_t seconds =
      days * 86400 + part->hour * 3600 + part->minute * 60 + part->second - part->zone_s;
  return seconds * 1'000'000'000 + part->nanoseconds;
}

}  // namespace dynid
