#include "option_names.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace dynid::tool {
namespace {

std::vector<std::string>& declaredNames() {
  static std::vector<std::string> names;
  return names;
}

// Options whose names do not follow from the setting, and options of other commands that
// messages name.
const std::map<std::string, std::string>& irregularNames() {
  static const std::map<std::string, std::string> names = {
      {"clock_jitter_s", "jitter"},
      {"effort_noise_correlation_s", "noise-correlation"},
      {"exclude_joints", "exclude-joint"},
      {"from_s", "from"},
      {"imu", "imu"},
      {"joints", "joints"},
      {"keep_statistics", "save-statistics"},
      {"log_time", "log-time"},
      {"mapping", "mapping"},
      {"payload_link", "payload-only"},
      {"skip_bad_rows", "skip-bad-rows"},
      {"to_s", "to"},
      {"wrench", "wrench"}};
  return names;
}

// "" if there is none.
std::string optionOf(const std::string& setting) {
  const auto irregular = irregularNames().find(setting);
  if (irregular != irregularNames().end()) return irregular->second;
  std::string name = setting;
  std::replace(name.begin(), name.end(), '_', '-');
  const std::vector<std::string>& names = declaredNames();
  for (const std::string& candidate : {name,
                                       name.substr(0, name.rfind('-')),
                                       "max-" + name,
                                       name.substr(0, name.size() - (name.ends_with('s') ? 1 : 0))})
    if (std::find(names.begin(), names.end(), candidate) != names.end()) return candidate;
  return "";
}

}  // namespace

void declareOptionNames(std::vector<std::string> names) { declaredNames() = std::move(names); }

std::string withOptionNames(const std::string& text) {
  std::string result;
  size_t copied = 0;
  for (size_t begin = text.find('`'); begin != std::string::npos;
       begin = text.find('`', begin + 1)) {
    const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_", begin + 1);
    if (end == std::string::npos || text[end] != '`') continue;
    const std::string option = optionOf(text.substr(begin + 1, end - begin - 1));
    if (option.empty()) continue;
    result.append(text, copied, begin - copied).append("--").append(option);
    copied = end + 1;
    begin = end;
  }
  return result.append(text, copied);
}

}  // namespace dynid::tool
