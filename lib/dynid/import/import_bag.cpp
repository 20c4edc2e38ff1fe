#include "dynid/import/import_bag.h"

#include "dynid/bags/sqlite_bag.h"
#include "dynid/core/errors.h"
#include "dynid/import/bag_mapping.h"
#include "dynid/import/bag_plan.h"
#include "dynid/logs/forked_worker.h"
#include "dynid/logs/log_writer.h"
#include "dynid/logs/unwrap_angles.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>

namespace dynid {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Turns rows into blocks of a log.
class BlockWriter {
 public:
  BlockWriter(const BagPlan& plan, LogWriter& writer, std::int64_t origin)
      : plan_(plan), writer_(writer), origin_(origin) {
    resize(kImportRows);
  }

  void add(std::int64_t time, std::span<const double> row) {
    const auto n = std::ssize(plan_.joints);
    const auto part = [&](size_t place, Eigen::Index count) {
      return Eigen::RowVectorXd::Map(row.data() + place, count);
    };
    block_.time[rows_] = static_cast<double>(time - origin_) / 1e9;
    block_.position.row(rows_) = part(0, n);
    if (plan_.has_velocity) block_.velocity.row(rows_) = part(plan_.joints.size(), n);
    if (plan_.has_effort) block_.effort.row(rows_) = part(2 * plan_.joints.size(), n);
    for (size_t i = 0; i < bodies_.size(); ++i) {
      const auto& [imu, wrench] = plan_.body_places[i];
      if (imu) bodies_[i].angular_velocity.row(rows_) = part(*imu, 3);
      if (imu) bodies_[i].linear_acceleration.row(rows_) = part(*imu + 3, 3);
      if (wrench) bodies_[i].wrench.row(rows_) = part(*wrench, 6);
    }
    if (++rows_ == kImportRows) flush();
  }

  void flush() {
    resize(rows_);
    writer_.append(block_, bodies_);
    rows_ = 0;
    resize(kImportRows);
  }

 private:
  void resize(Eigen::Index rows) {
    const auto n = std::ssize(plan_.joints);
    block_.time.conservativeResize(rows);
    block_.position.conservativeResize(rows, n);
    if (plan_.has_velocity) block_.velocity.conservativeResize(rows, n);
    if (plan_.has_effort) block_.effort.conservativeResize(rows, n);
    bodies_.resize(plan_.bodies.size());
    for (size_t i = 0; i < bodies_.size(); ++i) {
      if (plan_.body_places[i].first) bodies_[i].angular_velocity.conservativeResize(rows, 3);
      if (plan_.body_places[i].first) bodies_[i].linear_acceleration.conservativeResize(rows, 3);
      if (plan_.body_places[i].second) bodies_[i].wrench.conservativeResize(rows, 6);
    }
  }

  const BagPlan& plan_;
  LogWriter& writer_;
  std::int64_t origin_;
  RawBlock block_;
  std::vector<BodySamples> bodies_;
  Eigen::Index rows_ = 0;
};

/// Finds rows that equal the row before in time and in every number: messages that were recorded
/// twice.
class RepeatedRows {
 public:
  bool repeats(std::int64_t time, std::span<const double> row) {
    const bool repeated = time == time_ && sameNumbers(row, row_);
    time_ = time;
    row_.assign(row.begin(), row.end());
    if (repeated) ++count_;
    return repeated;
  }
  std::int64_t count() const { return count_; }

 private:
  std::int64_t time_ = 0, count_ = 0;
  std::vector<double> row_;  // empty before the first row
};

/// Passes the messages of the planned topics to the merger.
class PlanSink final : public BagSink {
 public:
  /// @param factors  of the numbers of a row
  PlanSink(const BagSurvey& survey,
           const BagPlan& plan,
           std::vector<double> factors,
           RowMerger& merger)
      : survey_(survey),
        plan_(plan),
        factors_(std::move(factors)),
        merger_(merger),
        row_(plan.width),
        clock_(plan.runs) {}

  bool topic(size_t number, const BagTopic& /*topic*/) override {
    joint_uses_.push_back(nullptr);
    sensor_uses_.emplace_back();
    for (const JointTopicUse& use : plan_.topics)
      if (use.topic == number) joint_uses_.back() = &use;
    for (const SensorUse& use : plan_.sensors)
      if (use.topic == number) sensor_uses_.back().push_back(&use);
    return joint_uses_.back() != nullptr || !sensor_uses_.back().empty();
  }

  const AngleUnwrapper& unwrapper() const { return unwrapper_; }

  void message(size_t number, std::int64_t log_time, Bytes data) override {
    try {
      if (joint_uses_[number] != nullptr) addJoints(*joint_uses_[number], log_time, data);
      for (const SensorUse* use : sensor_uses_[number]) addSensor(*use, log_time, data);
    } catch (const DamagedBytes&) {
      // Already counted by the survey.
    }
  }

 private:
  /// @returns empty for a message that is left out
  std::optional<std::int64_t> timeOf(bool leads,
                                     const MessageTime& time,
                                     std::int64_t stamp,
                                     std::int64_t log_time) {
    if (time.clock == MessageTime::Clock::kRecording) return log_time;
    if (time.clock == MessageTime::Clock::kShifted) return clock_.ofRecording(log_time);
    if (time.leave_out_zero && stamp == 0) return std::nullopt;
    return leads ? clock_.ofLeader(stamp) : clock_.ofStamp(stamp);
  }

  void addJoints(const JointTopicUse& use, std::int64_t log_time, Bytes data) {
    const TopicSurvey& topic = survey_.topics[use.topic];
    readJoints(topic.topic, data, joints_);
    const std::optional<size_t> layout = findLayout(topic.layouts, joints_);
    if (!layout) return;
    const LayoutUse& layout_use = use.layouts[*layout];
    if (!layout_use.publisher) return;
    const std::vector<double>* const channels[] = {
        &joints_.position, &joints_.velocity, &joints_.effort};
    std::fill(row_.begin(), row_.end(), kNaN);
    for (const LayoutUse::Copy& copy : layout_use.copies)
      row_[copy.place] = factors_[copy.place] * (*channels[copy.channel])[copy.index];
    const std::optional<std::int64_t> time =
        timeOf(*layout_use.publisher == 0, layout_use.time, joints_.header.stamp, log_time);
    if (!time) return;
    unwrapper_.apply(Eigen::Map<Eigen::MatrixXd>(row_.data(), 1, std::ssize(plan_.joints)));
    if (*layout_use.publisher == 0) {
      merger_.row(*time, row_);
    } else {
      const size_t series = *layout_use.publisher - 1;
      sample_.clear();
      for (const size_t slot : plan_.series[series].slots) sample_.push_back(row_[slot]);
      merger_.sample(series, *time, sample_);
    }
  }

  void addSensor(const SensorUse& use, std::int64_t log_time, Bytes data) {
    const TopicSurvey& topic = survey_.topics[use.topic];
    std::array<double, 6> values{};
    RosHeader header;
    if (use.kind == MessageKind::kWrench) {
      readWrench(topic.topic.encoding, data, wrench_);
      header = wrench_.header;
      values = wrench_.wrench;
    } else {
      readImu(topic.topic.encoding, data, imu_);
      header = imu_.header;
      std::copy(imu_.angular_velocity.begin(), imu_.angular_velocity.end(), values.begin());
      std::copy(
          imu_.linear_acceleration.begin(), imu_.linear_acceleration.end(), values.begin() + 3);
    }
    const auto time = timeOf(false, use.time, header.stamp, log_time);
    if (time) merger_.sample(use.series, *time, values);
  }

  const BagSurvey& survey_;
  const BagPlan& plan_;
  std::vector<double> factors_;
  RowMerger& merger_;
  std::vector<double> row_, sample_;
  // Before the merger, which interpolates: the positions of a joint come from one publisher.
  // Applied to all joints, because joint states do not say which joints are prismatic. No prismatic
  // joint moves by 6.28 m between two samples.
  AngleUnwrapper unwrapper_;
  std::vector<const JointTopicUse*> joint_uses_;
  std::vector<std::vector<const SensorUse*>> sensor_uses_;
  ContinuedClock clock_;
  JointStateMessage joints_;
  WrenchMessage wrench_;
  ImuMessage imu_;
};

LogHeader headerFor(const BagSurvey& survey,
                    const BagPlan& plan,
                    const ImportMapping& mapping,
                    int compression) {
  LogHeader header;
  header.joint_names = plan.joints;
  header.prismatic = mapping.prismatic;
  header.has_velocity = plan.has_velocity;
  header.effort_kind = mapping.effort    ? EffortKind::kEffort
                       : mapping.current ? EffortKind::kCurrent
                                         : EffortKind::kNone;
  header.joint_kinds_known = mapping.joint_kinds_known || mapping.position->unit_known;
  header.robot = mapping.robot;
  header.license = mapping.license;
  header.description = mapping.description;
  header.gravity = mapping.gravity;
  header.payload = mapping.payload;
  header.bodies = plan.bodies;
  for (const auto& [imu, wrench] : plan.body_places)
    header.body_channels.push_back({imu.has_value(), false, imu.has_value(), wrench.has_value()});
  header.source = mapping.source.empty() ? survey.recording.files.front().path.filename().string()
                                         : mapping.source;
  header.compression = compression;
  return header;
}

void requireChecksums(const BagSurvey& survey, bool accept) {
  if (survey.wrong_checksums.empty() || accept || !survey.damaged.empty()) return;
  throw InputError(survey.wrong_checksums.front() +
                   "; copy it again, or read it as it is with `skip_bad_rows`");
}

void noteMerging(const RowMerger& merger, const BagPlan& plan, ImportResult& result) {
  const auto note = [&](std::int64_t count, const char* text) {
    if (count > 0) result.notes.push_back(fmt::format("{} {}", count, text));
  };
  note(merger.sorted(), "rows came after later ones and were put in order");
  note(merger.late(), "rows came too late to be put in order");
  note(merger.jumps(),
       "times the clock jumps back by more than 5 s: the rows before and after it are different "
       "runs");
  for (size_t i = 0; i < plan.series.size(); ++i)
    if (merger.missing(i) > 0)
      result.notes.push_back(
          fmt::format("{} rows have no message of {} near them: NaN{}",
                      merger.missing(i),
                      plan.series_names[i],
                      merger.isOutOfReach(i)
                          ? ". The recording holds such messages too far before or behind these "
                            "rows: merge its files into one in the order of time (`mcap merge`, "
                            "`ros2 bag convert`)"
                          : ""));
}

}  // namespace

BagSurvey surveyBags(const std::vector<std::filesystem::path>& paths, const Progress& progress) {
  const BagRecording recording = findRecording(paths);
  for (const BagFile& file : recording.files)
    if (file.kind == BagKind::kSqlite && !file.zstd)
      checkInForkedWorker(file.path, [&] { trySqliteBag(file.path); });
  return surveyRecording(recording, progress);
}

ImportResult importBag(const std::vector<std::filesystem::path>& paths,
                       const std::filesystem::path& log,
                       const BagImportOptions& options) {
  ImportMapping given;
  if (options.mapping) given = readMappingOfMessages(*options.mapping);
  if (!given.joints.empty() && !options.joints.empty())
    throw UsageError("`joints` are given, and joints in the mapping file; keep one");
  const BagSurvey survey = surveyBags(paths, options.progress);
  requireChecksums(survey, options.accept_wrong_checksums);
  BagImportOptions named = options;
  if (!given.joints.empty()) named.joints = given.joints;
  const BagPlan plan = planBagImport(survey, named);
  const ImportMapping mapping = mappingOfBag(options.mapping, given, plan);
  LogHeader header = headerFor(survey, plan, mapping, options.compression);
  const bool from_first_row = plan.last_time > kExactInDouble;
  if (from_first_row) header.time_origin_ns = plan.first_time;
  LogWriter writer(log, header);
  BlockWriter blocks(plan, writer, header.time_origin_ns.value_or(0));
  RepeatedRows repeated;
  RowMerger merger(plan.width, plan.series, [&](std::int64_t time, std::span<const double> row) {
    if (plan.leave_out_repeated && repeated.repeats(time, row)) return;
    blocks.add(time, row);
  });
  PlanSink sink(survey, plan, factorsOfRow(mapping, plan), merger);
  BagScan scan(sink, survey.damaged, survey.index);
  scanRecording(survey.recording, scan, options.progress, "writing");
  merger.finish();
  blocks.flush();
  if (merger.rows() == 0)
    throw InputError(survey.recording.files.front().path.string() +
                     ": no message of joint states could be read");
  writer.finish();

  ImportResult result;
  result.rows = merger.rows() - repeated.count();
  result.joint_names = plan.joints;
  result.has_velocity = plan.has_velocity;
  result.effort_kind = header.effort_kind;
  result.taken = plan.taken;
  result.notes = survey.recording.notes;
  result.notes.insert(result.notes.end(), survey.remarks.begin(), survey.remarks.end());
  result.notes.insert(result.notes.end(), plan.notes.begin(), plan.notes.end());
  noteMapping(mapping, result);
  if (from_first_row)
    result.notes.push_back(fmt::format("time is counted from {} ns", *header.time_origin_ns));
  noteMerging(merger, plan, result);
  if (repeated.count() > 0)
    result.notes.push_back(fmt::format(
        "{} rows repeat the row before them in time and in every value (recorded twice?): left out",
        repeated.count()));
  for (const std::string& note : sink.unwrapper().notes(plan.joints)) result.notes.push_back(note);
  result.losses = survey.losses;
  result.losses.insert(
      result.losses.end(), survey.wrong_checksums.begin(), survey.wrong_checksums.end());
  return result;
}

}  // namespace dynid
