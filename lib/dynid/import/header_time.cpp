#include "dynid/import/header_time.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace dynid {
namespace {

/// Converts "/joint_states/header/stamp_sec" to "joint.states.header.stamp.sec".
std::string dotted(const std::string& text) {
  std::string plain = lowerCase(text);
  std::replace(plain.begin(), plain.end(), '/', '.');
  std::replace(plain.begin(), plain.end(), '_', '.');
  while (plain.starts_with('.') || plain.starts_with('%')) plain.erase(0, 1);
  return plain;
}

/// A column of times, or two with the seconds and nanoseconds of a ROS stamp.
struct TimeColumn {
  /// The column with the greatest preference is used: rank, length of the path that it shares with
  /// the positions, whether there are nanoseconds.
  std::tuple<int, size_t, bool> preference;
  size_t column = 0;
  std::optional<size_t> nanoseconds;
  std::string unit;
};

/// The name of a column of positions, to which the times belong.
struct PositionName {
  std::string text;
  bool has_path = false;

  explicit PositionName(const std::string& name) : text(dotted(name)) {
    const auto with_number = parseNumberedName(name);
    const std::string path = with_number ? with_number->path : name;
    has_path = lastPart(path) != path;
  }
  bool shares(const std::string& path) const { return text.starts_with(path); }
};

/// Preference of a ROS stamp: it is the time at which the sample was taken, unless it belongs to
/// another topic. @param path before "header.stamp", with a point at its end
std::tuple<int, size_t, bool> stampPreference(const std::string& path,
                                              const PositionName& position,
                                              bool with_nanoseconds) {
  const bool shared = position.shares(path);
  return {shared || !position.has_path ? 3 : 1, shared ? path.size() : 0, with_nanoseconds};
}

/// Seconds and nanoseconds of a ROS stamp in two columns.
std::optional<TimeColumn> stampInTwoColumns(const std::vector<HeaderName>& names,
                                            size_t column,
                                            const PositionName& position) {
  const std::string seconds = dotted(names[column].text);
  const size_t at = seconds.rfind("sec");
  if (at == std::string::npos || (seconds.substr(at) != "sec" && seconds.substr(at) != "secs"))
    return std::nullopt;
  if (at > 0 && seconds[at - 1] != '.') return std::nullopt;
  std::string path = seconds.substr(0, at);
  for (size_t j = 0; j < names.size(); ++j) {
    const std::string rest = dotted(names[j].text);
    const bool fits =
        rest.starts_with(path) && (rest.substr(at) == "nanosec" || rest.substr(at) == "nsec" ||
                                   rest.substr(at) == "nsecs" || rest.substr(at) == "nanosecs");
    if (!fits) continue;
    for (const std::string_view end : {"stamp.", "header."})
      if (path.ends_with(end)) path.erase(path.size() - end.size());
    return TimeColumn{stampPreference(path, position, true), column, j, "s"};
  }
  return std::nullopt;
}

/// Names of times that other columns may have as well. @returns their unit, "" if it is in the
/// numbers
std::optional<std::string> unitOfLessUsualName(const std::string& name) {
  for (const char* seconds : {"sec", "secs", "seconds"})
    if (name == seconds) return "s";
  for (const char* any : {"ts", "stamp", "elapsed", "rosbagtimestamp"})
    if (name == any) return "";
  return std::nullopt;
}

std::optional<TimeColumn> timeInOneColumn(const HeaderName& name,
                                          size_t column,
                                          const PositionName& position) {
  std::string text = dotted(name.text);
  TimeColumn found{{}, column, std::nullopt, name.unit};
  struct Suffix {
    std::string_view text;
    const char* unit;
  };
  for (const auto& [suffix, unit] : {Suffix{".ms", "ms"},
                                     Suffix{".us", "us"},
                                     Suffix{".ns", "ns"},
                                     Suffix{".s", "s"},
                                     Suffix{".sec", "s"},
                                     Suffix{".secs", "s"},
                                     Suffix{".seconds", "s"}})
    if (found.unit.empty() && text.ends_with(suffix)) {
      found.unit = unit;
      text.erase(text.size() - suffix.size());
    }
  if (text.ends_with("time.stamp")) text.erase(text.size() - 6, 1);
  constexpr std::string_view kStamp = "header.stamp";
  const std::string last = lastPart(text);
  const std::string path = text.substr(0, text.size() - last.size());
  if (text == kStamp || text.ends_with(".header.stamp")) {
    found.preference =
        stampPreference(text.substr(0, text.size() - kStamp.size()), position, false);
  } else if (last == "t" || last == "time" || last == "timestamp") {
    // Not "cycle_time", but "time", and "/arm/time" beside "/arm/position[0]".
    const bool exact = path.empty() || (position.has_path && position.shares(path));
    found.preference = {exact ? 2 : 0, exact ? path.size() : 0, false};
  } else if (const std::optional<std::string> unit = unitOfLessUsualName(last);
             unit && (path.empty() || (position.has_path && position.shares(path)))) {
    if (found.unit.empty()) found.unit = *unit;
    found.preference = {1, path.size(), false};
  } else {
    return std::nullopt;
  }
  return found;
}

}  // namespace

void recogniseTime(const std::vector<HeaderName>& names, ImportMapping& mapping) {
  const PositionName position(
      mapping.position ? names[std::get<std::int64_t>(mapping.position->columns.front()) - 1].text
                       : "");
  std::optional<TimeColumn> best;
  for (size_t i = 0; i < names.size(); ++i)
    for (const auto& found :
         {stampInTwoColumns(names, i, position), timeInOneColumn(names[i], i, position)}) {
      if (!found || (best && found->preference <= best->preference)) continue;
      if (parseUnit(Quantity::kTime, found->unit.empty() ? "s" : found->unit)) best = found;
    }
  if (!best) return;
  mapping.time = static_cast<std::int64_t>(best->column) + 1;
  if (best->nanoseconds)
    mapping.time_nanoseconds = static_cast<std::int64_t>(*best->nanoseconds) + 1;
  mapping.time_unit_known = !best->unit.empty();
  if (mapping.time_unit_known) mapping.time_factor = parseUnit(Quantity::kTime, best->unit)->to_si;
}

}  // namespace dynid
