#include "dynid/import/header_topics.h"

#include "dynid/core/text.h"
#include "dynid/import/csv_mapping.h"
#include "dynid/import/header_names.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace dynid {
namespace {

constexpr std::array<std::string_view, 10> kCommandTopics = {"command",
                                                             "cmd",
                                                             "commanded",
                                                             "desired",
                                                             "reference",
                                                             "setpoint",
                                                             "target",
                                                             "goal",
                                                             "des",
                                                             "ref"};

/// The part of the names up to the last slash that is the same for all columns of a channel:
/// "/left/joint_states/"; "" if there is none.
std::string topicOf(const ChannelMapping& channel, const CsvReader& csv, const std::string& path) {
  std::string topic;
  for (size_t j = 0; j < channel.columns.size(); ++j) {
    const std::string& name = csv.names()[findColumn(channel.columns[j], csv, path)];
    if (j == 0) topic = name;
    const auto differs = std::mismatch(topic.begin(), topic.end(), name.begin(), name.end());
    topic.erase(differs.first, topic.end());
  }
  const size_t slash = topic.find_last_of('/');
  topic.resize(slash == std::string::npos ? 0 : slash + 1);
  if (channel.columns.size() > 1 || topic.empty()) return topic;
  // Of one joint the last part may be its name.
  const size_t before = topic.find_last_of('/', topic.size() - 2);
  return before == std::string::npos || before == 0 ? topic : topic.substr(0, before + 1);
}

/// Whether a word of the topic says that it holds commands: /joint_commands/.
bool holdsCommands(const std::string& topic) {
  const std::string plain = lowerCase(topic);
  for (size_t begin = 0; begin < plain.size();) {
    const size_t end = std::min(plain.find_first_of("/_-.", begin), plain.size());
    std::string_view word = std::string_view(plain).substr(begin, end - begin);
    if (word.size() > 4 && word.ends_with('s')) word.remove_suffix(1);
    if (std::find(kCommandTopics.begin(), kCommandTopics.end(), word) != kCommandTopics.end())
      return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::vector<std::string> warningsOfTopics(const ImportMapping& mapping,
                                          const CsvReader& csv,
                                          const std::string& path) {
  std::vector<std::string> warnings;
  if (csv.names().empty()) return warnings;
  const std::string positions = topicOf(*mapping.position, csv, path);
  const std::pair<const std::optional<ChannelMapping>*, const char*> channels[] = {
      {&mapping.position, "positions"},
      {&mapping.velocity, "velocities"},
      {&mapping.effort, "efforts"},
      {&mapping.current, "currents"}};
  for (const auto& [channel, text] : channels) {
    if (!*channel) continue;
    const std::string topic = topicOf(**channel, csv, path);
    if (holdsCommands(topic)) {
      warnings.push_back(
          fmt::format("the {} are those of {}, which seem to be commands: identify needs what was "
                      "measured; assign other columns in a mapping file (`mapping`)",
                      text,
                      topic));
    } else if (!topic.empty() && !positions.empty() && topic != positions) {
      warnings.push_back(
          fmt::format("the {} are those of {}, the positions those of {}: nothing, if both are of "
                      "the same joints; otherwise assign the columns in a mapping file (`mapping`)",
                      text,
                      topic,
                      positions));
    }
  }
  return warnings;
}

}  // namespace dynid
