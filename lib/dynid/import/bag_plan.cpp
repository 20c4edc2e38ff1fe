#include "dynid/import/bag_plan.h"

#include "dynid/core/errors.h"
#include "dynid/core/text.h"
#include "dynid/import/bag_publishers.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace dynid {
namespace {

constexpr double kCoarse = 0.05;  // share of messages with the stamp of the one before

/// Builds the plan step by step.
class Planner {
 public:
  Planner(const BagSurvey& survey, const BagImportOptions& options)
      : survey_(survey), options_(options) {}

  BagPlan plan() {
    for (const size_t number : jointTopics(survey_, options_.topics, plan_.notes)) {
      for (JointPublisher& one : publishersOf(survey_, number, options_, plan_.notes))
        publishers_.push_back(std::move(one));
      JointTopicUse use{number, {}};
      use.layouts.resize(survey_.topics[number].layouts.size());
      plan_.topics.push_back(std::move(use));
    }
    keepWantedJoints();
    std::stable_sort(publishers_.begin(),
                     publishers_.end(),
                     [](const JointPublisher& a, const JointPublisher& b) {
                       return std::tuple(!a.has[0], !a.has[2], -a.messages) <
                              std::tuple(!b.has[0], !b.has[2], -b.messages);
                     });
    if (!publishers_.front().has[0])
      refuseLayouts(survey_, survey_.topics[publishers_.front().topic], options_);
    chooseClock();
    plan_.leave_out_repeated = !isCoarseClock(publishers_.front());
    plan_.joints = options_.joints.empty() ? allJoints() : options_.joints;
    for (size_t i = 0; i < publishers_.size(); ++i) addPublisher(i);
    noteChannels();
    plan_.width = 3 * plan_.joints.size();
    for (const BagSensor& sensor : options_.wrenches) addSensor(sensor, MessageKind::kWrench);
    for (const BagSensor& sensor : options_.imus) addSensor(sensor, MessageKind::kImu);
    noteSensors();
    return std::move(plan_);
  }

 private:
  const std::string& topicName(const JointPublisher& publisher) const {
    return survey_.topics[publisher.topic].topic.name;
  }

  void chooseClock() {
    const JointPublisher& leader = publishers_.front();
    const TopicSurvey& topic = survey_.topics[leader.topic];
    plan_.use_log_time = options_.log_time || !leader.advances;
    plan_.runs = {{leader.first, leader.last, topic.least_delay, 0}};
    if (!plan_.use_log_time && isOneClock(leader)) plan_.runs = continuedRuns(leader.clock);
    plan_.first_time = plan_.use_log_time ? topic.log_times.min : plan_.runs.front().first;
    plan_.last_time =
        plan_.use_log_time ? topic.log_times.max : plan_.runs.back().last + plan_.runs.back().shift;
    plan_.taken.push_back({topicName(leader) + (plan_.use_log_time ? " log time" : " header.stamp"),
                           "time",
                           "",
                           "ns -> s"});
    if (options_.log_time) return;
    if (plan_.use_log_time)
      plan_.notes.push_back(
          fmt::format("the header stamps of {} are all {}: the times of recording are used instead",
                      topicName(leader),
                      leader.zero_stamps == leader.messages ? "0" : "equal"));
    else if (topic.most_delay - topic.least_delay > 20'000'000)
      plan_.notes.push_back(fmt::format(
          "{} was recorded {:.3f} to {:.3f} s after its header stamps: the header stamps are used; "
          "if they are wrong, `log_time` uses the times of recording",
          topicName(leader),
          1e-9 * static_cast<double>(topic.least_delay),
          1e-9 * static_cast<double>(topic.most_delay)));
  }

  /// Whether many messages have the stamp of the one before and other numbers. Equal ones are then
  /// samples of a robot at rest and not repeated messages.
  bool isCoarseClock(const JointPublisher& publisher) const {
    std::int64_t same_stamp = 0;
    for (const size_t layout : publisher.layouts)
      same_stamp += survey_.topics[publisher.topic].layouts[layout].same_stamp;
    return static_cast<double>(same_stamp) > kCoarse * static_cast<double>(publisher.messages);
  }

  /// How the messages of a publisher or a sensor get their times.
  MessageTime timeOf(const std::string& name, const JointPublisher& source) {
    using Clock = MessageTime::Clock;
    if (plan_.use_log_time) return {Clock::kRecording, false};
    if (!source.advances) return {Clock::kShifted, false};
    const JointPublisher& leader = publishers_.front();
    if (source.last < leader.first || source.first > leader.last) {
      plan_.notes.push_back(
          fmt::format("the header stamps of {} ({:.3f} to {:.3f} s) and those of {} ({:.3f} to "
                      "{:.3f} s) are of different clocks: the times of recording are used for {}",
                      name,
                      1e-9 * static_cast<double>(source.first),
                      1e-9 * static_cast<double>(source.last),
                      topicName(leader),
                      1e-9 * static_cast<double>(leader.first),
                      1e-9 * static_cast<double>(leader.last),
                      name));
      return {Clock::kShifted, false};
    }
    if (&source != &leader && !restartsWith(leader, source)) {
      plan_.notes.push_back(
          fmt::format("the clock of {} is not restarted together with that of {}: the times of "
                      "recording are used for the former",
                      name,
                      topicName(leader)));
      return {Clock::kShifted, false};
    }
    if (source.zero_means_unset)
      plan_.notes.push_back(fmt::format(
          "{} messages of {} without a time stamp (0) are left out", source.zero_stamps, name));
    return {Clock::kStamp, source.zero_means_unset};
  }

  /// Whether stamps of the leading publisher that go back, if any, are due to rare restarts of its
  /// clock, and not to several clocks.
  bool isOneClock(const JointPublisher& leader) {
    const std::int64_t restarts = leader.clock.restarts();
    if (restarts == 0) return true;
    const bool seldom =
        100 * restarts <= leader.messages && restarts < std::ssize(leader.clock.runs());
    plan_.notes.push_back(
        seldom ? fmt::format("the clock of {} is set back {} times (set or restarted?): the "
                             "times after it are shifted behind those before it, with a gap",
                             topicName(leader),
                             restarts)
               : fmt::format("the header stamps of {} go back {} times: they are not "
                             "of one clock; `log_time` uses the times of recording",
                             topicName(leader),
                             restarts));
    return seldom;
  }

  /// Whether a source has the clock of the leading publisher, judged by the restarts of both. A
  /// source with few messages may have none in some run.
  bool restartsWith(const JointPublisher& leader, const JointPublisher& source) const {
    const std::vector<ClockRun>&of_source = source.clock.runs(), &runs = leader.clock.runs();
    if (of_source.empty()) return true;
    std::int64_t expected = 0;
    for (size_t i = 1; i < plan_.runs.size(); ++i)
      expected += runs[i].first_log_time > of_source.front().first_log_time &&
                          runs[i].first_log_time <= of_source.back().last_log_time
                      ? 1
                      : 0;
    const std::int64_t restarts = source.clock.restarts();
    return restarts <= expected && (restarts > 0) == (expected > 0);
  }

  /// The joints of all publishers, each in the order of its first message.
  std::vector<std::string> allJoints() const {
    std::vector<std::string> all;
    for (const JointPublisher& publisher : publishers_) {
      const JointLayout& first = survey_.topics[publisher.topic].layouts[publisher.layouts.front()];
      for (const std::string& name : namesOf(first, options_))
        if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
    return all;
  }

  /// Reduces the publishers to the joints that are imported, before one of them is chosen to lead.
  void keepWantedJoints() {
    const std::vector<std::string>& wanted = options_.joints;
    if (wanted.empty()) return;
    const std::vector<std::string> all = allJoints();
    for (const std::string& name : wanted)
      if (std::find(all.begin(), all.end(), name) == all.end())
        throw UsageError(fmt::format("`joints`: the recording has no joint \"{}\"{}; it has {}",
                                     name,
                                     didYouMean(name, all),
                                     join(all)));
    for (JointPublisher& publisher : publishers_)
      std::erase_if(publisher.names, [&](const std::string& name) {
        return std::find(wanted.begin(), wanted.end(), name) == wanted.end();
      });
    std::erase_if(publishers_, [](const JointPublisher& one) { return one.names.empty(); });
  }

  void addPublisher(size_t number) {
    const JointPublisher& publisher = publishers_[number];
    const size_t n = plan_.joints.size();
    MergedSeries series;
    std::array<std::vector<std::string>, 3> provides;
    std::map<std::pair<size_t, std::string>, size_t> places;  // (channel, joint) -> place
    for (size_t c = 0; c < 3; ++c) {
      if (!publisher.has[c]) continue;
      for (size_t j = 0; j < n; ++j) {
        const std::string& joint = plan_.joints[j];
        if (!std::binary_search(publisher.names.begin(), publisher.names.end(), joint)) continue;
        if (!provided_.insert({c, j}).second) continue;
        places[{c, joint}] = c * n + j;
        series.slots.push_back(c * n + j);
        provides[c].push_back(joint);
      }
    }
    const bool is_used = !places.empty();
    if (!is_used) {
      noteUnused(publisher);
      return;
    }
    requireConsecutiveFiles(survey_, topicName(publisher), publisher.clock);
    const bool beside_leader = number > 0 && publisher.topic == publishers_.front().topic;
    const MessageTime time =
        timeOf(beside_leader ? "joints " + join(publisher.names) : topicName(publisher), publisher);
    for (const size_t layout : publisher.layouts) useLayout(number, layout, time, places);
    describe(number, provides);
    noteMissingVelocities(publisher);
    if (number == 0) return;
    series.interpolate = publisher.has[1] || publisher.has[2];
    series.period = time.clock != MessageTime::Clock::kStamp
                        ? survey_.topics[publisher.topic].log_times.period() *
                              static_cast<double>(survey_.topics[publisher.topic].log_times.count) /
                              static_cast<double>(publisher.messages)
                        : publisher.clock.period();
    const std::string content = contentOf(provides);
    plan_.notes.push_back(fmt::format(
        "the {} ({}) come in other messages than the positions of {} ({}): {}",
        content,
        topicName(publisher),
        join(publishers_.front().names),
        topicName(publishers_.front()),
        series.interpolate ? "interpolated linearly to the times of the latter"
                           : "as they are positions alone, the nearest message is taken"));
    plan_.series.push_back(std::move(series));
    plan_.series_names.push_back("the " + content);
  }

  /// "positions of a, b and efforts of a, b, c"
  static std::string contentOf(const std::array<std::vector<std::string>, 3>& provides) {
    std::string channels, text;
    for (size_t c = 0; c < 3; ++c) {
      if (provides[c].empty()) continue;
      constexpr const char* kPlurals[] = {"positions", "velocities", "efforts"};
      channels += (channels.empty() ? "" : ", ") + std::string(kPlurals[c]);
      const auto next =
          std::find_if(provides.begin() + static_cast<std::ptrdiff_t>(c) + 1,
                       provides.end(),
                       [](const std::vector<std::string>& joints) { return !joints.empty(); });
      if (next != provides.end() && *next == provides[c]) continue;
      text += fmt::format("{}{} of {}", text.empty() ? "" : " and ", channels, join(provides[c]));
      channels.clear();
    }
    return text;
  }

  /// Adds a note that the messages of a publisher are left out, and why.
  void noteUnused(const JointPublisher& publisher) {
    const JointPublisher& leader = publishers_.front();
    const bool lacks_effort = publisher.topic == leader.topic && publisher.names == leader.names &&
                              leader.has[2] && !publisher.has[2];
    const std::string why =
        lacks_effort ? "they have no effort, which other messages of these joints have"
                     : fmt::format(
                           "these joints are taken from {}; if they are those of another robot, "
                           "import each topic by itself (`topics`)",
                           topicName(leader));
    plan_.notes.push_back(fmt::format("{}: {} messages with the joints {} are left out: {}",
                                      topicName(publisher),
                                      publisher.messages,
                                      join(publisher.names),
                                      why));
  }

  /// Counts the messages of a publisher without velocities, where others have them.
  void noteMissingVelocities(const JointPublisher& publisher) {
    if (!publisher.has[0] || !publisher.has[1]) return;
    std::int64_t without = 0;
    for (const size_t number : publisher.layouts) {
      const JointLayout& layout = survey_.topics[publisher.topic].layouts[number];
      if (!layout.has(1)) without += layout.stamps.count;
    }
    if (without > 0)
      plan_.notes.push_back(
          fmt::format("{} of {} messages with the joints {} ({}) have no velocities: NaN",
                      without,
                      publisher.messages,
                      join(publisher.names),
                      topicName(publisher)));
  }

  void useLayout(size_t number,
                 size_t layout_number,
                 const MessageTime& time,
                 const std::map<std::pair<size_t, std::string>, size_t>& places) {
    const JointPublisher& publisher = publishers_[number];
    const auto use =
        std::find_if(plan_.topics.begin(), plan_.topics.end(), [&](const JointTopicUse& t) {
          return t.topic == publisher.topic;
        });
    LayoutUse& layout = use->layouts[layout_number];
    layout.publisher = number == 0 ? 0 : plan_.series.size() + 1;
    layout.time = time;
    const JointLayout& surveyed = survey_.topics[publisher.topic].layouts[layout_number];
    const std::vector<std::string> names = namesOf(surveyed, options_);
    for (size_t c = 0; c < 3; ++c)
      for (size_t j = 0; surveyed.has(c) && j < names.size(); ++j)
        if (const auto place = places.find({c, names[j]}); place != places.end())
          layout.copies.push_back({c, j, place->second});
  }

  void describe(size_t number, const std::array<std::vector<std::string>, 3>& provides) {
    constexpr const char* kUnits[] = {"rad or m", "rad/s or m/s", "N m or N"};
    for (size_t c = 0; c < 3; ++c)
      if (!provides[c].empty())
        plan_.taken.push_back(
            {fmt::format("{} {}", topicName(publishers_[number]), kJointChannels[c]),
             kJointChannels[c],
             namesOrAll(provides[c]),
             kUnits[c]});
  }

  std::string namesOrAll(const std::vector<std::string>& names) const {
    return names.size() == plan_.joints.size() ? "all" : join(names);
  }

  /// Adds notes about channels that no publisher fills.
  void noteChannels() {
    const size_t n = plan_.joints.size();
    for (size_t c = 0; c < 3; ++c) {
      std::vector<std::string> without, not_a_number;
      for (size_t j = 0; j < n; ++j) {
        if (!provided_.contains({c, j})) {
          without.push_back(plan_.joints[j]);
        } else if (isNeverANumber(c, plan_.joints[j])) {
          not_a_number.push_back(plan_.joints[j]);
        }
      }
      if (c == 1) plan_.has_velocity = without.size() < n;
      if (c == 2) plan_.has_effort = without.size() + not_a_number.size() < n;
      if (!not_a_number.empty())
        plan_.notes.push_back(
            fmt::format("{} of {} is NaN in every message", kJointChannels[c], join(not_a_number)));
      if (c == 2 && !plan_.has_effort)
        plan_.notes.emplace_back(
            "no message holds efforts: dynamics cannot be identified from this log; publish effort "
            "(or currents) in the joint states");
      else if (without.size() == n && c == 1)
        plan_.notes.emplace_back(
            "no message holds velocities: they will be computed from the positions");
      else if (!without.empty())
        plan_.notes.push_back(fmt::format("no {} of {}: NaN", kJointChannels[c], join(without)));
      if (c == 2 && plan_.has_effort) noteExclusion(without, not_a_number);
    }
  }

  /// Adds a note how to use a log in which some joints have no efforts.
  void noteExclusion(std::vector<std::string> joints, const std::vector<std::string>& more) {
    joints.insert(joints.end(), more.begin(), more.end());
    std::vector<std::string> options;
    for (const std::string& joint : joints) options.push_back("`exclude_joints` " + joint);
    if (!joints.empty())
      plan_.notes.push_back(
          fmt::format("`identify` needs the effort of every joint of the robot: if the robot has "
                      "{}, leave {} out with {}",
                      join(joints),
                      joints.size() == 1 ? "it" : "them",
                      join(options, " ")));
  }

  bool isNeverANumber(size_t channel, const std::string& joint) const {
    for (const JointTopicUse& use : plan_.topics) {
      const TopicSurvey& topic = survey_.topics[use.topic];
      if (topic.joints.empty()) return false;  // without names the joints cannot be identified
      const auto found = topic.joints.find(joint);
      if (found != topic.joints.end() && found->second[channel].count > found->second[channel].nan)
        return false;
    }
    return true;
  }

  void addSensor(const BagSensor& sensor, MessageKind kind) {
    const bool wrench = kind == MessageKind::kWrench;
    const size_t number = topicNamed(
        survey_,
        sensor.topic,
        wrench ? [](MessageKind k) { return k == MessageKind::kWrench; }
               : [](MessageKind k) { return k == MessageKind::kImu; },
        wrench ? "`wrench`" : "`imu`",
        wrench ? "geometry_msgs/WrenchStamped" : "sensor_msgs/Imu");
    const TopicSurvey& topic = survey_.topics[number];
    auto at = static_cast<size_t>(std::find(plan_.bodies.begin(), plan_.bodies.end(), sensor.link) -
                                  plan_.bodies.begin());
    if (at == plan_.bodies.size()) {
      plan_.bodies.push_back(sensor.link);
      plan_.body_places.emplace_back();
    }
    std::optional<size_t>& place =
        wrench ? plan_.body_places[at].second : plan_.body_places[at].first;
    if (place)
      throw UsageError(fmt::format(
          "{}: the link {} has two topics", wrench ? "`wrench`" : "`imu`", sensor.link));
    place = plan_.width;
    MergedSeries series;
    for (size_t i = 0; i < 6; ++i) series.slots.push_back(plan_.width + i);
    plan_.width += 6;
    JointPublisher source;
    source.addStamps(topic.stamps);
    if (!topic.clocks.empty()) source.clock = topic.clocks.front();
    requireConsecutiveFiles(survey_, sensor.topic, source.clock);
    const MessageTime time = timeOf(sensor.topic, source);
    series.period =
        time.clock == MessageTime::Clock::kStamp ? source.clock.period() : topic.log_times.period();
    plan_.sensors.push_back({number, plan_.series.size(), kind, time});
    plan_.series.push_back(std::move(series));
    plan_.series_names.push_back(sensor.topic);
    if (wrench) {
      plan_.taken.push_back(
          {sensor.topic + " wrench", "bodies/" + sensor.link + "/wrench", "", "N, N m"});
    } else {
      plan_.taken.push_back({sensor.topic + " angular_velocity",
                             "bodies/" + sensor.link + "/angular_velocity",
                             "",
                             "rad/s"});
      plan_.taken.push_back({sensor.topic + " linear_acceleration",
                             "bodies/" + sensor.link + "/linear_acceleration",
                             "",
                             "m/s^2"});
    }
    plan_.notes.push_back(
        fmt::format("{} ({} messages, frame \"{}\") is interpolated linearly to the times of the "
                    "joint states, and taken as "
                    "measured at the origin of {}, in its axes{}",
                    sensor.topic,
                    topic.log_times.count,
                    topic.frame,
                    sensor.link,
                    wrench ? ", exerted on the link and everything behind it" : ""));
  }

  void noteSensors() {
    for (size_t i = 0; i < plan_.bodies.size(); ++i)
      if (!plan_.body_places[i].first || !plan_.body_places[i].second)
        plan_.notes.push_back(fmt::format(
            "{} has {} only: `identify` uses the sensors of a link where it has a wrench and an "
            "inertial sensor (`wrench` and `imu`)",
            plan_.bodies[i],
            plan_.body_places[i].first ? "an inertial sensor" : "a wrench"));
  }

  const BagSurvey& survey_;
  const BagImportOptions& options_;
  BagPlan plan_;
  std::vector<JointPublisher> publishers_;
  std::set<std::pair<size_t, size_t>> provided_;  // (channel, joint)
};

}  // namespace

BagPlan planBagImport(const BagSurvey& survey, const BagImportOptions& options) {
  return Planner(survey, options).plan();
}

}  // namespace dynid
