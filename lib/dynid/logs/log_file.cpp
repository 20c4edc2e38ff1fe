#include "dynid/logs/log_file.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/logs/channel_units.h"
#include "dynid/logs/payload_note.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace dynid {
namespace {

constexpr double kNewestVersion = 1.0;

std::string shapeText(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

void checkFormat(const H5Input& input, bool accept_trajectory) {
  const std::vector<std::string> format = input.textAttribute("/", "format");
  const bool accepted = format.empty() || format.front() == "dynid-log" ||
                        (accept_trajectory && format.front() == "dynid-trajectory");
  if (!accepted)
    throw InputError(input.path().string() + ": is a '" + format.front() +
                     "' file, not a log; give a log (format 'dynid-log', or none)");
  const std::vector<double> version = input.numberAttribute("/", "version");
  if (!format.empty() && !version.empty() && version.front() > kNewestVersion)
    throw InputError(input.path().string() + ": is a log of version " + toText(version.front()) +
                     "; this program reads version 1: use a newer dynid");
}

std::string describe(const H5Input& input, const char* attribute, std::vector<std::string>& notes) {
  const std::optional<bool> is_text = input.attributeIsText("/", attribute);
  if (is_text && !*is_text)
    notes.push_back(std::string("attribute '") + attribute + "' is not text: ignored");
  if (!is_text || !*is_text) return {};
  const std::vector<std::string> texts = input.textAttribute("/", attribute);
  return texts.empty() ? std::string() : texts.front();
}

void readAttributes(const H5Input& input, LogInfo& info) {
  info.robot = describe(input, "robot", info.notes);
  info.source = describe(input, "source", info.notes);
  info.license = describe(input, "license", info.notes);
  info.description = describe(input, "description", info.notes);
  const std::vector<double> rate = input.numberAttribute("/", "sample_rate_hz");
  if (!rate.empty()) {
    if (!(std::isfinite(rate.front()) && rate.front() > 0.0))
      throw InputError(input.place("") + ": attribute 'sample_rate_hz' is " + toText(rate.front()) +
                       "; it must be positive");
    info.sample_rate_hz = rate.front();
  }
  const std::vector<double> gravity = input.numberAttribute("/", "gravity");
  if (gravity.size() == 3) info.gravity = Eigen::Vector3d::Map(gravity.data());
  if (!gravity.empty() && gravity.size() != 3)
    info.notes.emplace_back("attribute 'gravity' does not have 3 numbers: ignored");
  info.payload = readPayload(input, info.notes);
}

/// An optional channel without rows counts as missing.
std::optional<H5Numbers> openIfUsed(const H5Input& input,
                                    const std::string& name,
                                    std::int64_t joints,
                                    std::vector<std::string>& notes) {
  if (!input.has(name)) return std::nullopt;
  H5Numbers dataset = name == "time" ? openSeries(input, name) : openChannel(input, name, joints);
  if (dataset.rows() > 0) return dataset;
  notes.push_back(name + ": has no rows: not used");
  return std::nullopt;
}

void openChannels(LogFile& log) {
  LogInfo& info = log.info;
  const auto joints = static_cast<std::int64_t>(info.joint_names.size());
  log.time = openIfUsed(log.input, "time", joints, info.notes);
  log.position = openChannel(log.input, "position", joints);
  log.velocity = openIfUsed(log.input, "velocity", joints, info.notes);
  log.acceleration = openIfUsed(log.input, "acceleration", joints, info.notes);
  log.effort = openIfUsed(log.input, "effort", joints, info.notes);
  const bool has_current = log.input.has("current");
  if (log.effort) {
    info.effort_kind = EffortKind::kEffort;
    if (has_current) info.notes.emplace_back("the log has effort and current: effort is used");
  } else if (has_current) {
    log.effort = openIfUsed(log.input, "current", joints, info.notes);
    if (log.effort) info.effort_kind = EffortKind::kCurrent;
  }
  if (!log.time && !info.sample_rate_hz && log.input.has("time"))
    throw InputError(log.input.place("time") +
                     ": has no rows; was the recording stopped before the first sample?");
  if (!log.time && !info.sample_rate_hz)
    throw InputError(log.input.place("time") +
                     ": is missing, and so is the attribute 'sample_rate_hz'; one of them is "
                     "needed to know the clock");
}

void describeChannels(LogFile& log) {
  LogInfo& info = log.info;
  const auto joints = static_cast<std::int64_t>(info.joint_names.size());
  const std::string effort_name = info.effort_kind == EffortKind::kCurrent ? "current" : "effort";
  if (log.time) info.time = describeChannel(log.input, "time", *log.time, 1);
  info.position = describeChannel(log.input, "position", *log.position, joints);
  if (log.velocity) info.velocity = describeChannel(log.input, "velocity", *log.velocity, joints);
  if (log.acceleration)
    info.acceleration = describeChannel(log.input, "acceleration", *log.acceleration, joints);
  if (log.effort) info.effort = describeChannel(log.input, effort_name, *log.effort, joints);

  info.rows = info.position.rows;
  const std::pair<const ChannelInfo*, std::string> all[] = {{&info.time, "time"},
                                                            {&info.position, "position"},
                                                            {&info.velocity, "velocity"},
                                                            {&info.acceleration, "acceleration"},
                                                            {&info.effort, effort_name}};
  for (const auto& [channel, name] : all)
    if (channel->present) info.rows = std::min(info.rows, channel->rows);
  for (const auto& [channel, name] : all)
    if (channel->present && channel->rows > info.rows)
      info.notes.push_back(name + ": its last " + std::to_string(channel->rows - info.rows) +
                           " rows are not in every dataset: not used");
}

}  // namespace

std::vector<std::string> readJointNames(const H5Input& input) {
  if (!input.has("joint_names"))
    throw InputError(input.place("joint_names") +
                     ": is missing; columns go by joint name: add a dataset of strings, one per "
                     "column of position");
  std::vector<std::string> names = input.texts("joint_names");
  if (names.empty()) throw InputError(input.place("joint_names") + ": is empty");
  std::set<std::string> seen;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string row = input.place("joint_names") + "[" + std::to_string(i) + "]";
    if (names[i].empty()) throw InputError(row + ": is empty; every column needs a name");
    if (!seen.insert(names[i]).second)
      throw InputError(row + ": '" + names[i] +
                       "' occurs twice; every column needs a different name");
  }
  return names;
}

H5Numbers openChannel(const H5Input& input, const std::string& name, std::int64_t joints) {
  H5Numbers dataset = input.numbers(name);
  const std::vector<std::int64_t>& shape = dataset.shape();
  const bool fits = (shape.size() == 2 && shape[1] == joints) || (shape.size() == 1 && joints == 1);
  if (fits) return dataset;
  std::string message = dataset.place() + ": has the shape " + shapeText(shape) +
                        "; expected [samples, " + std::to_string(joints) +
                        "], a column for each of joint_names";
  if (joints == 1 && shape.size() == 2)
    message += ". joint_names holds one name only: write an array of texts, one per column";
  if (shape.size() == 2 && shape[0] == joints)
    message +=
        ". It is transposed (MATLAB and Fortran write dimensions in reverse): write the "
        "transpose";
  throw InputError(message);
}

H5Numbers openSeries(const H5Input& input, const std::string& name) {
  H5Numbers dataset = input.numbers(name);
  const std::vector<std::int64_t>& shape = dataset.shape();
  if (shape.size() == 1 || (shape.size() == 2 && shape[1] == 1)) return dataset;
  std::string message =
      dataset.place() + ": has the shape " + shapeText(shape) + "; expected [samples]";
  if (shape.size() == 2 && shape[0] == 1)
    message += ". It is transposed (MATLAB and Fortran write dimensions in reverse)";
  throw InputError(message);
}

ChannelInfo describeChannel(const H5Input& input,
                            const std::string& name,
                            const H5Numbers& dataset,
                            std::int64_t joints) {
  ChannelInfo channel;
  channel.present = true;
  channel.rows = dataset.rows();
  channel.units = input.textAttribute(name, "unit_per_joint");
  if (!channel.units.empty()) {
    channel.unit_per_joint = true;
    if (static_cast<std::int64_t>(channel.units.size()) != joints)
      throw InputError(dataset.place() + ": attribute 'unit_per_joint' has " +
                       std::to_string(channel.units.size()) + " entries for " +
                       std::to_string(joints) + " joints");
    return channel;
  }
  std::vector<std::string> unit = unitAttribute(input, name);
  if (unit.size() > 1)
    throw InputError(dataset.place() + ": attribute 'unit' has " + std::to_string(unit.size()) +
                     " strings; give one, or 'unit_per_joint'");
  if (unit.empty()) unit.emplace_back();
  channel.units.assign(joints, unit.front());
  return channel;
}

LogFile openLog(const std::filesystem::path& path, bool accept_trajectory) {
  LogFile log{H5Input(path), {}, {}, {}, {}, {}, {}};
  checkFormat(log.input, accept_trajectory);
  log.info.path = path;
  log.info.joint_names = readJointNames(log.input);
  readAttributes(log.input, log.info);
  openChannels(log);
  describeChannels(log);
  return log;
}

}  // namespace dynid
