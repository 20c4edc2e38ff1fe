#include "dynid/bags/bag_survey.h"

#include "dynid/core/errors.h"
#include "dynid/core/few_words.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace dynid {
namespace {

constexpr size_t kMaxLayouts = 256;
constexpr size_t kMaxJoints = 4096;
constexpr size_t kMaxRuns = 4096;
// Thresholds for a clock that is set back by less than kClockRestart, see ClockSurvey.
constexpr std::int64_t kLeastStep = 50'000'000;  // [ns]
constexpr std::int64_t kFewInStep = 5;
constexpr double kPaceDiffers = 0.3;  // of the duration

/// The indices of the names in the order of the alphabet.
template <typename Name>
std::vector<size_t> indicesByName(const std::vector<Name>& names) {
  std::vector<size_t> indices(names.size());
  std::iota(indices.begin(), indices.end(), size_t{0});
  std::sort(
      indices.begin(), indices.end(), [&](size_t a, size_t b) { return names[a] < names[b]; });
  return indices;
}

/// Moves the elements at the indices `from` to the indices `to`.
template <typename T>
void reorder(const std::vector<size_t>& from, const std::vector<size_t>& to, std::vector<T>& list) {
  if (list.empty()) return;
  const std::vector<T> before = list;
  for (size_t i = 0; i < from.size(); ++i) list[to[i]] = before[from[i]];
}

/// Collects the survey, message by message.
class SurveySink final : public BagSink {
 public:
  void file(size_t number) override { file_ = number; }

  bool topic(size_t /*number*/, const BagTopic& topic) override {
    TopicSurvey survey;
    survey.topic = topic;
    survey.kind = messageKindOf(topic.type);
    topics.push_back(std::move(survey));
    joint_slots_.emplace_back();
    last_numbers_.emplace_back();
    publishers_.emplace_back();
    return topics.back().kind != MessageKind::kOther;
  }

  void message(size_t number, std::int64_t log_time, Bytes data) override {
    TopicSurvey& topic = topics[number];
    topic.log_times.add(log_time);
    if (topic.kind == MessageKind::kOther) return;
    try {
      if (holdsJointStates(topic.kind)) addJoints(number, log_time, data);
      if (topic.kind == MessageKind::kWrench) {
        readWrench(topic.topic.encoding, data, wrench_);
        addHeader(topic, wrench_.header, log_time);
        addValues(topic, 0, wrench_.wrench);
      }
      if (topic.kind == MessageKind::kImu) {
        readImu(topic.topic.encoding, data, imu_);
        addHeader(topic, imu_.header, log_time);
        addValues(topic, 0, imu_.angular_velocity);
        addValues(topic, 3, imu_.linear_acceleration);
      }
    } catch (const DamagedBytes& damage) {
      if (topic.unreadable++ == 0) topic.first_unreadable = damage.what();
    }
  }

  std::vector<TopicSurvey> topics;

 private:
  void addHeader(TopicSurvey& topic,
                 const RosHeader& header,
                 std::int64_t log_time,
                 size_t publisher = 0) const {
    const std::int64_t delay = log_time - header.stamp;
    if (topic.stamps.count == 0) topic.frame = header.frame.substr(0, 256);
    if (topic.stamps.count == topic.stamps.zero) topic.least_delay = topic.most_delay = delay;
    if (header.stamp != 0) {
      topic.least_delay = std::min(topic.least_delay, delay);
      topic.most_delay = std::max(topic.most_delay, delay);
    }
    topic.stamps.add(header.stamp);
    topic.clocks.resize(std::max(topic.clocks.size(), publisher + 1));
    topic.clocks[publisher].add(header.stamp, log_time, file_);
  }

  template <size_t N>
  static void addValues(TopicSurvey& topic, size_t first, const std::array<double, N>& values) {
    topic.values.resize(6);
    for (size_t i = 0; i < N; ++i) topic.values[first + i].add(values[i]);
  }

  void addJoints(size_t number, std::int64_t log_time, Bytes data) {
    TopicSurvey& topic = topics[number];
    readJoints(topic.topic, data, joints_);
    const size_t at = layoutOf(number);
    JointLayout& layout = topic.layouts[at];
    addHeader(topic, joints_.header, log_time, layout.publisher);
    const bool same_stamp = layout.stamps.count > 0 && layout.stamps.last == joints_.header.stamp;
    layout.stamps.add(joints_.header.stamp);
    if (!layout.fits()) return;
    const std::vector<double>* const channels[] = {
        &joints_.position, &joints_.velocity, &joints_.effort};
    numbers_.clear();
    for (const std::vector<double>* channel : channels)
      numbers_.insert(numbers_.end(), channel->begin(), channel->end());
    std::vector<double>& last = last_numbers_[number][at];
    if (same_stamp && !sameNumbers(numbers_, last)) ++layout.same_stamp;
    last.swap(numbers_);
    const std::vector<std::array<ValueSurvey, 3>*>& slots = joint_slots_[number][at];
    for (size_t c = 0; c < 3; ++c)
      for (size_t j = 0; j < std::min(slots.size(), channels[c]->size()); ++j)
        (*slots[j])[c].add((*channels[c])[j]);
  }

  /// The lengths by which publishers of the same joints are told apart. Drivers leave out the
  /// velocities of some messages: these do not count.
  static std::array<size_t, 3> lengthsOfPublisher(const JointLayout& layout) {
    std::array<size_t, 3> lengths = layout.lengths;
    if (lengths[0] > 0 && lengths[1] == lengths[0]) lengths[1] = 0;
    return lengths;
  }

  size_t layoutOf(size_t number) {
    TopicSurvey& topic = topics[number];
    if (const std::optional<size_t> known = findLayout(topic.layouts, joints_)) return *known;
    if (topic.layouts.size() == kMaxLayouts || joints_.names.size() > kMaxJoints)
      throw DamagedBytes(fmt::format(
          "is in more than {} forms (joint names and lengths), or has more than {} joints",
          kMaxLayouts,
          kMaxJoints));
    JointLayout layout;
    layout.names.assign(joints_.names.begin(), joints_.names.end());
    layout.lengths = {joints_.position.size(), joints_.velocity.size(), joints_.effort.size()};
    std::vector<std::array<ValueSurvey, 3>*> slots;
    if (layout.fits())
      for (const std::string& name : layout.names) slots.push_back(&topic.joints[name]);
    layout.by_name = indicesByName(layout.names);
    std::vector<std::string> sorted;
    for (const size_t i : layout.by_name) sorted.push_back(layout.names[i]);
    layout.publisher =
        publishers_[number]
            .try_emplace({std::move(sorted), lengthsOfPublisher(layout)}, topic.layouts.size())
            .first->second;
    topic.layouts.push_back(std::move(layout));
    joint_slots_[number].push_back(std::move(slots));
    last_numbers_[number].emplace_back();
    return topic.layouts.size() - 1;
  }

  size_t file_ = 0;
  // Per topic and layout, the values of the joints in the order of the layout. Pointers to elements
  // of a std::map stay valid.
  std::vector<std::vector<std::vector<std::array<ValueSurvey, 3>*>>> joint_slots_;
  // Per topic, the first layout by its joints in the order of their names, and lengthsOfPublisher.
  std::vector<std::map<std::pair<std::vector<std::string>, std::array<size_t, 3>>, size_t>>
      publishers_;
  // Per topic and layout, the numbers of the last message.
  std::vector<std::vector<std::vector<double>>> last_numbers_;
  std::vector<double> numbers_;
  JointStateMessage joints_;
  WrenchMessage wrench_;
  ImuMessage imu_;
};

void addLosses(const BagScan& scan, const std::vector<DamagedBlock>& damaged, BagSurvey& survey) {
  std::int64_t lost = scan.lostMessages();
  for (const DamagedBlock& block : damaged) lost += block.messages;
  std::int64_t announced =
      std::max(scan.announced().value_or(0), survey.recording.announced.value_or(0));
  if (announced > scan.messages())
    survey.losses.push_back(fmt::format(
        "of {} messages that were recorded, {} are lost", announced, announced - scan.messages()));
  else if (lost > 0)
    survey.losses.push_back(fmt::format("at least {} messages are lost", lost));
}

/// Whether the messages of every source were recorded in the order of the files.
bool isInOrder(const BagSurvey& survey) {
  const auto ordered = [](const ClockSurvey& clock) {
    return std::is_sorted(clock.spans().begin(),
                          clock.spans().end(),
                          [](const FileSpan& a, const FileSpan& b) { return a.first < b.first; });
  };
  return std::all_of(survey.topics.begin(), survey.topics.end(), [&](const TopicSurvey& topic) {
    return std::all_of(topic.clocks.begin(), topic.clocks.end(), ordered);
  });
}

/// The numbers of the files in the order in which their messages were recorded. A file without
/// messages that the import uses stays behind the one before it.
std::vector<size_t> orderOfRecording(const BagSurvey& survey) {
  constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> first(survey.recording.files.size(), kNone);
  for (const TopicSurvey& topic : survey.topics)
    for (const ClockSurvey& clock : topic.clocks)
      for (const FileSpan& span : clock.spans())
        first[span.file] = std::min(first[span.file], span.first);
  for (size_t i = 0; i < first.size(); ++i)
    if (first[i] == kNone)
      first[i] = i == 0 ? std::numeric_limits<std::int64_t>::min() : first[i - 1];
  std::vector<size_t> order(first.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(
      order.begin(), order.end(), [&](size_t a, size_t b) { return first[a] < first[b]; });
  return order;
}

/// Surveys the files in the order that they have in the recording.
BagSurvey surveyAsOrdered(const BagRecording& recording, const Progress& progress) {
  BagSurvey survey;
  survey.recording = recording;
  for (const bool again : {false, true}) {
    SurveySink sink;
    BagScan scan(sink, survey.damaged, survey.index);
    scanRecording(
        recording, scan, progress, again ? "reading again without what is damaged" : "reading");
    survey.topics = std::move(sink.topics);
    for (TopicSurvey& topic : survey.topics)
      for (ClockSurvey& clock : topic.clocks) clock.finish();
    survey.messages = scan.messages();
    survey.compressions.assign(scan.compressions().begin(), scan.compressions().end());
    survey.library = scan.libraryText();
    survey.wrong_checksums = scan.wrongChecksums();
    survey.remarks = scan.remarks();
    survey.losses = scan.losses();
    if (!again && scan.isToBeRepeated()) {
      survey.damaged = scan.damaged();
      survey.index = scan.index();
      continue;
    }
    addLosses(scan, survey.damaged, survey);
    break;
  }
  for (const TopicSurvey& topic : survey.topics)
    if (topic.unreadable > 0)
      survey.losses.push_back(fmt::format("{}: {} of {} messages are not {}; the first {}",
                                          topic.topic.name,
                                          topic.unreadable,
                                          topic.log_times.count,
                                          topic.topic.type,
                                          topic.first_unreadable));
  return survey;
}

}  // namespace

MessageKind messageKindOf(const std::string& type) {
  const std::string plain = plainType(type);
  if (plain == "sensor_msgs/JointState") return MessageKind::kJointState;
  if (plain == "control_msgs/DynamicJointState") return MessageKind::kDynamicJointState;
  if (plain == "geometry_msgs/WrenchStamped") return MessageKind::kWrench;
  if (plain == "sensor_msgs/Imu") return MessageKind::kImu;
  return MessageKind::kOther;
}

bool sameNumbers(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

void readJoints(const BagTopic& topic, Bytes bytes, JointStateMessage& out) {
  if (messageKindOf(topic.type) == MessageKind::kDynamicJointState)
    readDynamicJointState(topic.encoding, bytes, out);
  else
    readJointState(topic.encoding, bytes, out);
}

void StampSurvey::add(std::int64_t stamp) {
  if (count == 0) {
    first = min = max = stamp;
  } else {
    back += stamp < last ? 1 : 0;
    duplicate += stamp == last ? 1 : 0;
  }
  min = std::min(min, stamp);
  max = std::max(max, stamp);
  last = stamp;
  ++count;
  if (stamp == 0) {
    ++zero;
    return;
  }
  least_set = count - zero == 1 ? stamp : std::min(least_set, stamp);
}

bool StampSurvey::advances() const {
  constexpr std::int64_t kFew = 2;
  return zero < count && (count <= kFew || min < max);
}

double StampSurvey::period() const {
  return count < 2 ? 0.0
                   : (static_cast<double>(max) - static_cast<double>(min)) /
                         static_cast<double>(count - 1);
}

void ClockSurvey::add(std::int64_t stamp, std::int64_t log_time, size_t file) {
  if (spans_.empty() || spans_.back().file != file) spans_.push_back({file, log_time, log_time});
  spans_.back().last = log_time;
  if (stamp == 0) return;
  if (undecided_ && (stamp < last_ || stamp > runs_[runs_.size() - 2].greatest)) decide();
  const bool full = runs_.size() >= kMaxRuns;
  if (runs_.empty()) {
    beginRun(stamp, log_time);
  } else if (isRestart(last_, stamp)) {
    ++restarts_;
    if (!full) beginRun(stamp, log_time);
  } else if (!undecided_ && !full && stamp <= last_ - kLeastStep &&
             log_time >= runs_.back().last_log_time) {
    beginRun(stamp, log_time);
    undecided_ = true;
  }
  ClockRun& run = runs_.back();
  ++run.messages;
  run.least = std::min(run.least, stamp);
  run.greatest = std::max(run.greatest, stamp);
  run.last_log_time = log_time;
  run.least_delay = std::min(run.least_delay, log_time - stamp);
  last_ = stamp;
}

void ClockSurvey::beginRun(std::int64_t stamp, std::int64_t log_time) {
  runs_.push_back({0, stamp, stamp, log_time, log_time, log_time - stamp, stamp, last_});
}

/// Decides whether the last run is a restart of the clock. If it is not, its messages arrived out
/// of order and are added to the run before.
void ClockSurvey::decide() {
  undecided_ = false;
  const ClockRun run = runs_.back();
  const auto stamps = static_cast<double>(run.greatest - run.least);
  const auto recorded = static_cast<double>(run.last_log_time - run.first_log_time);
  if (run.messages >= kFewInStep && std::abs(recorded - stamps) <= kPaceDiffers * stamps) {
    ++restarts_;
    return;
  }
  runs_.pop_back();
  ClockRun& all = runs_.back();
  all.messages += run.messages;
  all.least = std::min(all.least, run.least);
  all.greatest = std::max(all.greatest, run.greatest);
  all.last_log_time = run.last_log_time;
  all.least_delay = std::min(all.least_delay, run.least_delay);
}

void ClockSurvey::finish() {
  if (undecided_) decide();
}

double ClockSurvey::period() const {
  double time = 0.0, steps = 0.0;
  for (const ClockRun& run : runs_) {
    time += static_cast<double>(run.greatest) - static_cast<double>(run.least);
    steps += static_cast<double>(run.messages - 1);
  }
  return steps > 0.0 ? time / steps : 0.0;
}

void ValueSurvey::add(double value) {
  ++count;
  if (std::isnan(value)) {
    ++nan;
    return;
  }
  if (count - nan == 1) first = min = max = value;
  min = std::min(min, value);
  max = std::max(max, value);
  last = value;
}

bool JointLayout::fits() const {
  return std::all_of(lengths.begin(), lengths.end(), [&](size_t length) {
    return length == 0 || length == names.size();
  });
}

std::optional<size_t> findLayout(const std::vector<JointLayout>& layouts,
                                 JointStateMessage& message) {
  const std::array<size_t, 3> lengths = {
      message.position.size(), message.velocity.size(), message.effort.size()};
  const auto find = [&](const auto& has_names) -> std::optional<size_t> {
    for (size_t i = 0; i < layouts.size(); ++i)
      if (layouts[i].lengths == lengths && layouts[i].names.size() == message.names.size() &&
          has_names(layouts[i]))
        return i;
    return std::nullopt;
  };
  const std::optional<size_t> same_order = find([&](const JointLayout& layout) {
    return std::equal(layout.names.begin(), layout.names.end(), message.names.begin());
  });
  if (same_order) return same_order;
  const std::vector<size_t> by_name = indicesByName(message.names);
  const std::optional<size_t> found = find([&](const JointLayout& layout) {
    return std::equal(
        layout.by_name.begin(), layout.by_name.end(), by_name.begin(), [&](size_t a, size_t b) {
          return layout.names[a] == message.names[b];
        });
  });
  if (!found || !layouts[*found].fits()) return found;
  reorder(by_name, layouts[*found].by_name, message.names);
  for (std::vector<double>* numbers : {&message.position, &message.velocity, &message.effort})
    reorder(by_name, layouts[*found].by_name, *numbers);
  return found;
}

BagSurvey surveyRecording(const BagRecording& recording, const Progress& progress) {
  BagSurvey survey = surveyAsOrdered(recording, progress);
  const std::vector<size_t> order = orderOfRecording(survey);
  if (isInOrder(survey) || std::is_sorted(order.begin(), order.end())) return survey;
  BagRecording sorted = recording;
  std::vector<std::string> names;
  for (size_t i = 0; i < order.size(); ++i) {
    sorted.files[i] = recording.files[order[i]];
    names.push_back(sorted.files[i].path.filename().string());
  }
  sorted.notes.push_back(
      fmt::format("the {} files were not in the order of their recording: they are read as {}",
                  names.size(),
                  joinFew(names)));
  return surveyAsOrdered(sorted, progress);
}

}  // namespace dynid
