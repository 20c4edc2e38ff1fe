#include "dynid/import/bag_publishers.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace dynid {
namespace {

/// What is wrong with the sorted names of a message; empty: nothing.
std::string faultOf(const std::vector<std::string>& names) {
  const auto controls = [](const std::string& name) {
    return std::ranges::any_of(name, [](unsigned char c) { return c < 0x20; });
  };
  if (names.front().empty()) return "a message holds a joint without a name";
  if (std::ranges::any_of(names, controls))
    return "a message holds a joint whose name has control characters";
  const auto twice = std::adjacent_find(names.begin(), names.end());
  return twice == names.end() ? "" : "a message names the joint '" + *twice + "' twice";
}

std::string recordingName(const BagSurvey& survey) {
  const std::vector<BagFile>& files = survey.recording.files;
  return files.size() == 1
             ? files.front().path.string()
             : fmt::format("{} and {} more", files.front().path.string(), files.size() - 1);
}

std::string listOf(const BagSurvey& survey, bool (*wanted)(MessageKind)) {
  std::vector<std::string> lines;
  for (const TopicSurvey& topic : survey.topics)
    if (topic.log_times.count > 0 && wanted(topic.kind))
      lines.push_back(fmt::format(
          "{} ({}, {} messages)", topic.topic.name, topic.topic.type, topic.log_times.count));
  return join(lines);
}

bool anyKind(MessageKind /*kind*/) { return true; }

/// Whether a message of the topic holds a number of this channel (0 position, 1 velocity, 2
/// effort).
bool holdsNumbers(const TopicSurvey& topic, size_t channel) {
  return std::any_of(topic.joints.begin(),
                     topic.joints.end(),
                     [&](const auto& joint) {
                       const ValueSurvey& values = joint.second[channel];
                       return values.count > values.nan;
                     }) ||
         std::any_of(topic.layouts.begin(), topic.layouts.end(), [&](const JointLayout& layout) {
           return layout.names.empty() && layout.has(channel);
         });
}

/// Chooses one of two topics of different kinds. The broadcaster of ros2_control publishes both,
/// usually with the same content.
size_t chooseTopic(const BagSurvey& survey, size_t a, size_t b, std::vector<std::string>& notes) {
  if (survey.topics[a].kind != MessageKind::kJointState) std::swap(a, b);
  const TopicSurvey &plain = survey.topics[a], &dynamic = survey.topics[b];
  if (holdsNumbers(plain, 2) || !holdsNumbers(dynamic, 0) || !holdsNumbers(dynamic, 2)) return a;
  notes.push_back(
      fmt::format("{} holds no efforts: the joint states are taken from {}, which has them",
                  plain.topic.name,
                  dynamic.topic.name));
  return b;
}

}  // namespace

size_t topicNamed(const BagSurvey& survey,
                  const std::string& name,
                  bool (*fits)(MessageKind),
                  const std::string& option,
                  const std::string& type) {
  std::vector<std::string> names, other_types;
  for (size_t i = 0; i < survey.topics.size(); ++i) {
    const TopicSurvey& topic = survey.topics[i];
    if (topic.topic.name == name && fits(topic.kind)) return i;
    if (topic.topic.name == name) other_types.push_back(topic.topic.type);
    names.push_back(topic.topic.name);
  }
  if (!other_types.empty())
    throw UsageError(
        fmt::format("{}: the topic {} holds {}, not {}", option, name, join(other_types), type));
  const std::string suggestion = didYouMean(name, names);
  throw UsageError(
      fmt::format("{}: {} has no topic \"{}\"{}",
                  option,
                  recordingName(survey),
                  name,
                  suggestion.empty() ? "; it has " + listOf(survey, anyKind) : suggestion));
}

std::vector<size_t> jointTopics(const BagSurvey& survey,
                                const std::vector<std::string>& named,
                                std::vector<std::string>& notes) {
  std::vector<size_t> numbers;
  for (const std::string& name : named) {
    const size_t number = topicNamed(survey, name, holdsJointStates, "`topics`", "joint states");
    if (std::find(numbers.begin(), numbers.end(), number) != numbers.end())
      throw UsageError(fmt::format("`topics`: {} is given twice", name));
    numbers.push_back(number);
  }
  if (!named.empty()) return numbers;
  for (size_t i = 0; i < survey.topics.size(); ++i)
    if (holdsJointStates(survey.topics[i].kind) && survey.topics[i].log_times.count > 0)
      numbers.push_back(i);
  if (numbers.size() == 2 && survey.topics[numbers[0]].kind != survey.topics[numbers[1]].kind)
    numbers = {chooseTopic(survey, numbers[0], numbers[1], notes)};
  if (numbers.size() > 1)
    throw UsageError(
        fmt::format("{}: several topics hold joint states: {}; choose with `topics` NAME "
                    "(repeatable, to merge different joints)",
                    recordingName(survey),
                    listOf(survey, holdsJointStates)));
  if (numbers.empty()) {
    const std::string topics = listOf(survey, anyKind);
    std::string message =
        fmt::format("{}: holds no joint states (sensor_msgs/JointState); ", recordingName(survey));
    message += topics.empty() ? "it has no messages" : "its topics are " + topics;
    if (!survey.losses.empty()) message += fmt::format("; damaged: {}", survey.losses.front());
    throw InputError(message);
  }
  return numbers;
}

std::vector<std::string> namesOf(const JointLayout& layout, const BagImportOptions& options) {
  if (!layout.names.empty()) return layout.fits() ? layout.names : std::vector<std::string>();
  for (const size_t length : layout.lengths)
    if (length != 0 && length != options.joints.size()) return {};
  return options.joints;
}

[[noreturn]] void refuseLayouts(const BagSurvey& survey,
                                const TopicSurvey& topic,
                                const BagImportOptions& options) {
  const std::string place = fmt::format("{}: {}", recordingName(survey), topic.topic.name);
  for (const JointLayout& layout : topic.layouts) {
    const size_t count = *std::max_element(layout.lengths.begin(), layout.lengths.end());
    if (!layout.names.empty() || count == 0) continue;
    if (options.joints.empty())
      throw InputError(
          fmt::format("{}: its messages hold {} numbers per channel but no joint names; "
                      "give the names in their order with `joints` a,b,c",
                      place,
                      count));
    throw UsageError(
        fmt::format("`joints`: {} names, but the messages of {} hold {} numbers per channel",
                    options.joints.size(),
                    topic.topic.name,
                    count));
  }
  if (topic.unreadable > 0)
    throw InputError(fmt::format("{}: none of its {} messages is a {}: {}",
                                 place,
                                 topic.log_times.count,
                                 topic.topic.type,
                                 topic.first_unreadable));
  for (const JointLayout& layout : topic.layouts)
    for (size_t c = 0; c < 3; ++c)
      if (layout.has(c) && layout.lengths[c] != layout.names.size())
        throw InputError(
            fmt::format("{}: its messages name {} joints, but their {} arrays hold {} numbers; "
                        "publish a number "
                        "for every name (NaN where there is none), or an empty array",
                        place,
                        layout.names.size(),
                        kJointChannels[c],
                        layout.lengths[c]));
  throw InputError(fmt::format(
      "{}: none of its {} messages holds positions of joints", place, topic.log_times.count));
}

std::vector<JointPublisher> publishersOf(const BagSurvey& survey,
                                         size_t number,
                                         const BagImportOptions& options,
                                         std::vector<std::string>& notes) {
  const TopicSurvey& topic = survey.topics[number];
  std::vector<JointPublisher> publishers;
  std::int64_t unusable = 0;
  std::string wrong_names;
  for (size_t i = 0; i < topic.layouts.size(); ++i) {
    const JointLayout& layout = topic.layouts[i];
    JointPublisher one;
    one.topic = number;
    one.names = namesOf(layout, options);
    if (one.names.empty()) {
      unusable += layout.stamps.count;
      continue;
    }
    std::sort(one.names.begin(), one.names.end());
    if (const std::string fault = faultOf(one.names); !fault.empty()) {
      wrong_names = fault;
      unusable += layout.stamps.count;
      continue;
    }
    one.clock = topic.clocks[layout.publisher];
    auto same = std::find_if(publishers.begin(), publishers.end(), [&](const JointPublisher& p) {
      return p.layouts.front() == layout.publisher;
    });
    if (same == publishers.end()) same = publishers.insert(publishers.end(), std::move(one));
    for (size_t c = 0; c < 3; ++c) same->has[c] = same->has[c] || layout.has(c);
    same->layouts.push_back(i);
    same->addStamps(layout.stamps);
  }
  if (publishers.empty() && !wrong_names.empty())
    throw InputError(
        fmt::format("{}: {}: {}", recordingName(survey), topic.topic.name, wrong_names));
  if (publishers.empty()) refuseLayouts(survey, topic, options);
  if (unusable > 0)
    notes.push_back(
        fmt::format("{}: {} messages whose arrays do not fit their names, or whose names are "
                    "empty, doubled or not text, are left out",
                    topic.topic.name,
                    unusable));
  return publishers;
}

void requireConsecutiveFiles(const BagSurvey& survey,
                             const std::string& topic,
                             const ClockSurvey& clock) {
  const std::vector<FileSpan>& spans = clock.spans();
  for (size_t i = 1; i < spans.size(); ++i)
    // Recorders that switch to another file may write some messages out of order.
    if (isRestart(spans[i - 1].last, spans[i].first))
      throw InputError(
          fmt::format("{}: its messages of {} begin {:.3f} s before those of {} end: the files are "
                      "not parts of one recording; import each by itself, or merge them into one "
                      "file in the order of time",
                      survey.recording.files[spans[i].file].path.string(),
                      topic,
                      1e-9 * static_cast<double>(spans[i - 1].last - spans[i].first),
                      survey.recording.files[spans[i - 1].file].path.string()));
}

}  // namespace dynid
