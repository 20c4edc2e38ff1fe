#include "import_text.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/import/bag_publishers.h"

#include "next_step.h"
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dynid::tool {
namespace {

std::string seconds(double nanoseconds) { return fmt::format("{:.3f}", 1e-9 * nanoseconds); }

double duration(const StampSurvey& times) {
  return times.count < 2 ? 0.0 : static_cast<double>(times.max) - static_cast<double>(times.min);
}

double rateHz(const StampSurvey& times) {
  const double period = times.period();
  return period > 0.0 ? 1e9 / period : 0.0;
}

/// Lines of columns, each as wide as its widest entry.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (size_t c = 0; c < row.size(); ++c) line += fmt::format(" {:{}}", row[c], widths[c] + 1);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string channelsOf(const JointLayout& layout) {
  std::vector<std::string> channels;
  for (size_t c = 0; c < kJointChannels.size(); ++c)
    if (layout.has(c)) channels.emplace_back(kJointChannels[c]);
  return channels.empty() ? "no numbers" : join(channels);
}

std::string describeLayouts(const TopicSurvey& topic) {
  std::string text;
  for (const JointLayout& layout : topic.layouts) {
    const size_t count = *std::max_element(layout.lengths.begin(), layout.lengths.end());
    text +=
        fmt::format("    {} x {}: {}\n",
                    layout.stamps.count,
                    layout.names.empty() ? fmt::format("{} joints without names (--joints)", count)
                                         : join(layout.names),
                    channelsOf(layout));
  }
  return text;
}

/// The option that chooses a topic of joint states, where one has to be chosen.
std::string topicOption(const BagSurvey& survey) {
  try {
    std::vector<std::string> ignored;
    jointTopics(survey, {}, ignored);
    return "";
  } catch (const UsageError&) {
    for (const TopicSurvey& topic : survey.topics)
      if (holdsJointStates(topic.kind) && topic.log_times.count > 0)
        return " --topic " + topic.topic.name;
    throw;
  }
}

nlohmann::ordered_json stampsJson(const StampSurvey& times) {
  return {{"count", times.count},
          {"first", times.first},
          {"last", times.last},
          {"min", times.min},
          {"max", times.max},
          {"zero", times.zero},
          {"back", times.back},
          {"duplicate", times.duplicate}};
}

nlohmann::ordered_json valuesJson(const ValueSurvey& values) {
  nlohmann::ordered_json json = {{"n", values.count}, {"nan", values.nan}};
  if (values.count > values.nan)
    json.update(
        {{"min", values.min}, {"max", values.max}, {"first", values.first}, {"last", values.last}});
  return json;
}

nlohmann::ordered_json topicJson(const TopicSurvey& topic) {
  nlohmann::ordered_json json = {{"topic", topic.topic.name},
                                 {"type", topic.topic.type},
                                 {"encoding", topic.topic.encoding},
                                 {"count", topic.log_times.count},
                                 {"rate_hz", rateHz(topic.log_times)},
                                 {"log_time_ns", stampsJson(topic.log_times)}};
  if (topic.kind == MessageKind::kOther) return json;
  json["header_stamp_ns"] = stampsJson(topic.stamps);
  json["frame"] = topic.frame;
  json["unreadable"] = topic.unreadable;
  if (holdsJointStates(topic.kind)) {
    json["layouts"] = nlohmann::ordered_json::array();
    for (const JointLayout& layout : topic.layouts)
      json["layouts"].push_back({{"names", layout.names},
                                 {"len_position", layout.lengths[0]},
                                 {"len_velocity", layout.lengths[1]},
                                 {"len_effort", layout.lengths[2]},
                                 {"count", layout.stamps.count}});
    json["joints"] = nlohmann::ordered_json::object();
    for (const auto& [name, channels] : topic.joints)
      for (size_t c = 0; c < channels.size(); ++c)
        if (channels[c].count > 0)
          json["joints"][name][kJointChannels[c]] = valuesJson(channels[c]);
  }
  constexpr const char* kWrench[] = {"fx", "fy", "fz", "tx", "ty", "tz"};
  constexpr const char* kImu[] = {"wx", "wy", "wz", "ax", "ay", "az"};
  for (size_t i = 0; i < topic.values.size(); ++i)
    json["values"][topic.kind == MessageKind::kWrench ? kWrench[i] : kImu[i]] =
        valuesJson(topic.values[i]);
  return json;
}

}  // namespace

std::string render(const ImportResult& result, const std::string& output) {
  std::string text =
      fmt::format("{}: {} rows of {} joints ({}), channels: position{}{}{}\n",
                  output,
                  result.rows,
                  result.joint_names.size(),
                  join(result.joint_names),
                  result.has_velocity ? ", velocity" : "",
                  result.has_acceleration ? ", acceleration" : "",
                  result.effort_kind == EffortKind::kNone ? "" : ", " + toText(result.effort_kind));
  if (!result.taken.empty()) {
    std::vector<std::vector<std::string>> rows = {{"source", "taken as", "unit", "joint"}};
    for (const TakenColumn& column : result.taken)
      rows.push_back({column.source, column.channel, column.unit, column.joint});
    text += table(rows);
  }
  if (result.bad_rows > 0) text += fmt::format("left out: {} malformed lines\n", result.bad_rows);
  for (const std::string& loss : result.losses) text += "lost: " + loss + "\n";
  for (const std::string& warning : result.warnings) text += "warning: " + warning + "\n";
  for (const std::string& note : result.notes) text += "note: " + note + "\n";
  return text + nextStep(fmt::format("dynid inspect {} --robot ROBOT", shellWord(output)));
}

nlohmann::ordered_json toJson(const ImportResult& result, const std::string& output) {
  nlohmann::ordered_json taken = nlohmann::ordered_json::array();
  for (const TakenColumn& column : result.taken)
    taken.push_back({{"source", column.source},
                     {"channel", column.channel},
                     {"joint", column.joint},
                     {"unit", column.unit}});
  return {{"output", output},
          {"rows", result.rows},
          {"bad_rows", result.bad_rows},
          {"joints", result.joint_names},
          {"velocity", result.has_velocity},
          {"acceleration", result.has_acceleration},
          {"effort", toText(result.effort_kind)},
          {"taken", taken},
          {"losses", result.losses},
          {"warnings", result.warnings},
          {"notes", result.notes}};
}

std::string render(const BagSurvey& survey) {
  std::string text;
  for (const BagFile& file : survey.recording.files)
    text += fmt::format("{}: {}{}\n",
                        file.path.string(),
                        toText(file.kind),
                        file.zstd ? ", compressed as a whole" : "");
  text +=
      fmt::format("{} messages{}{}\n",
                  survey.messages,
                  survey.library.empty() ? "" : "; written by " + survey.library,
                  survey.compressions.empty() ? "" : "; compression: " + join(survey.compressions));
  std::vector<std::vector<std::string>> rows = {
      {"topic", "type", "messages", "rate Hz", "seconds"}};
  for (const TopicSurvey& topic : survey.topics)
    rows.push_back(
        {topic.topic.name,
         topic.topic.type,
         std::to_string(topic.log_times.count),
         topic.log_times.count < 2 ? "-" : fmt::format("{:.4g}", rateHz(topic.log_times)),
         seconds(duration(topic.log_times))});
  text += table(rows);
  bool has_joints = false;
  for (const TopicSurvey& topic : survey.topics) {
    if (topic.kind == MessageKind::kOther || topic.log_times.count == 0) continue;
    text += fmt::format("  {}: frame \"{}\"{}\n",
                        topic.topic.name,
                        topic.frame,
                        topic.stamps.zero == topic.stamps.count ? ", header stamps all 0" : "");
    text += describeLayouts(topic);
    has_joints = has_joints || holdsJointStates(topic.kind);
  }
  for (const std::string& loss : survey.losses) text += "lost: " + loss + "\n";
  for (const std::string& wrong : survey.wrong_checksums) text += "damaged: " + wrong + "\n";
  for (const std::string& note : survey.recording.notes) text += "note: " + note + "\n";
  for (const std::string& note : survey.remarks) text += "note: " + note + "\n";
  if (!has_joints) return text + "It contains no joint states (sensor_msgs/JointState).\n";
  const std::filesystem::path& first = survey.recording.files.front().path;
  const std::filesystem::path& recording =
      survey.recording.files.size() == 1 ? first : first.parent_path();
  return text + nextStep(fmt::format("dynid import {}{} --output log.h5",
                                     shellWord(recording.string()),
                                     topicOption(survey)));
}

nlohmann::ordered_json toJson(const BagSurvey& survey) {
  nlohmann::ordered_json files = nlohmann::ordered_json::array(), topics = files;
  for (const BagFile& file : survey.recording.files)
    files.push_back({{"file", file.path.string()}, {"kind", toText(file.kind)}});
  for (const TopicSurvey& topic : survey.topics) topics.push_back(topicJson(topic));
  std::vector<std::string> notes = survey.recording.notes;
  notes.insert(notes.end(), survey.remarks.begin(), survey.remarks.end());
  std::vector<std::string> damage = survey.losses;
  damage.insert(damage.end(), survey.wrong_checksums.begin(), survey.wrong_checksums.end());
  return {{"files", files},
          {"messages", survey.messages},
          {"library", survey.library},
          {"compression", survey.compressions},
          {"topics", topics},
          {"losses", damage},
          {"notes", notes}};
}

}  // namespace dynid::tool
