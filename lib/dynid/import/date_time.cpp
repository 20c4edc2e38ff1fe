#include "dynid/import/date_time.h"

#include "dynid/core/text.h"

#include <chrono>
#include <initializer_list>

namespace dynid {
namespace {

struct DateTimeParts {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  std::int64_t nanoseconds = 0;
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

struct Field {
  int* number;
  size_t digits;
  std::string_view after;  ///< one of these characters follows; "": none
};

bool takeFields(std::string_view& text, std::initializer_list<Field> fields) {
  for (const Field& field : fields) {
    const std::optional<int> number = takeDigits(text, field.digits);
    if (!number || (!field.after.empty() && !takeOneOf(text, field.after))) return false;
    *field.number = *number;
  }
  return true;
}

/// YYYY-MM-DD, YYYY/MM/DD or DD.MM.YYYY with "T" or a blank behind it.
bool takeDate(std::string_view& text, DateTimeParts& part) {
  if (text[2] == '.')
    return takeFields(text, {{&part.day, 2, "."}, {&part.month, 2, "."}, {&part.year, 4, "T "}});
  const char separator[] = {text[4], '\0'};
  return takeFields(
      text, {{&part.year, 4, separator}, {&part.month, 2, separator}, {&part.day, 2, "T "}});
}

/// hh:mm:ss or h:mm:ss, with decimals of a second where there are any.
bool takeTimeOfDay(std::string_view& text, DateTimeParts& part) {
  const size_t digits = text.size() > 1 && text[1] == ':' ? 1 : 2;
  if (!takeFields(text, {{&part.hour, digits, ":"}, {&part.minute, 2, ":"}, {&part.second, 2, ""}}))
    return false;
  if (!takeOneOf(text, ".,")) return true;
  const std::optional<std::int64_t> nanoseconds = takeNanoseconds(text);
  if (nanoseconds) part.nanoseconds = *nanoseconds;
  return nanoseconds.has_value();
}

/// [ns] since midnight; nothing: not a time of day.
std::optional<std::int64_t> sinceMidnight(const DateTimeParts& part) {
  if (part.hour > 23 || part.minute > 59 || part.second > 60) return std::nullopt;
  return (part.hour * 3600 + part.minute * 60 + part.second) * std::int64_t{1'000'000'000} +
         part.nanoseconds;
}

}  // namespace

std::optional<std::int64_t> parseDateTime(std::string_view text) {
  text = trim(text);
  // Nearly all fields are numbers: a date has one of these characters in this place.
  if (text.size() < 18 || text.size() > 48 ||
      (text[4] != '-' && text[4] != '/' && (text[2] != '.' || text[5] != '.')))
    return std::nullopt;
  DateTimeParts part;
  if (!takeDate(text, part) || !takeTimeOfDay(text, part)) return std::nullopt;
  const std::optional<std::int64_t> zone_s = takeZone(text), of_day = sinceMidnight(part);
  if (!zone_s || !of_day || !text.empty()) return std::nullopt;
  const std::chrono::year_month_day day(std::chrono::year(part.year),
                                        std::chrono::month(static_cast<unsigned>(part.month)),
                                        std::chrono::day(static_cast<unsigned>(part.day)));
  if (!day.ok() || part.year < 1700 || part.year > 2200) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(day).time_since_epoch().count();
  return (days * 86400 - *zone_s) * 1'000'000'000 + *of_day;
}

std::optional<std::int64_t> parseTimeOfDay(std::string_view text) {
  text = trim(text);
  if (text.size() < 7 || (text[1] != ':' && text[2] != ':')) return std::nullopt;
  DateTimeParts part;
  if (!takeTimeOfDay(text, part) || !text.empty()) return std::nullopt;
  return sinceMidnight(part);
}

}  // namespace dynid
