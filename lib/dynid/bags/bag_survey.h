#pragma once

#include "dynid/bags/bag_files.h"
#include "dynid/bags/bag_scan.h"
#include "dynid/bags/ros_messages.h"
#include "dynid/core/progress.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dynid {

/// Kind of the messages of a topic, as far as the import uses them.
enum class MessageKind { kOther, kJointState, kDynamicJointState, kWrench, kImu };

/// The kind for a type name, with or without "/msg/".
MessageKind messageKindOf(const std::string& type);
inline bool holdsJointStates(MessageKind kind) {
  return kind == MessageKind::kJointState || kind == MessageKind::kDynamicJointState;
}

/// Whether all numbers are equal to the bit: NaN equals NaN.
bool sameNumbers(std::span<const double> a, std::span<const double> b);

/// Reads a message of either kind of joint state. @throws DamagedBytes
void readJoints(const BagTopic& topic, Bytes bytes, JointStateMessage& out);

/// [ns] A stamp that is earlier than the one before by more than this shows that the clock was
/// restarted; messages that arrive out of order differ by less.
constexpr std::int64_t kClockRestart = 1'000'000'000;

/// Time stamps of messages [ns].
struct StampSurvey {
  std::int64_t count = 0;
  std::int64_t first = 0, last = 0, min = 0, max = 0;  ///< first and last in the order of the file
  std::int64_t zero = 0;                               ///< number of stamps equal to 0
  std::int64_t back = 0;       ///< number of stamps earlier than the previous one
  std::int64_t duplicate = 0;  ///< number of stamps equal to the previous one
  std::int64_t least_set = 0;  ///< least of those that are not 0

  void add(std::int64_t stamp);
  /// Whether the stamps are times: neither all of them 0 nor all equal.
  bool advances() const;
  /// Whether a stamp of 0 among others means that none was set, and is not the start of a clock.
  bool zeroMeansUnset() const { return zero > 0 && zero < count && least_set > kClockRestart; }
  /// Mean distance of two messages, ns; 0 for fewer than two.
  double period() const;
};

/// Messages of one source between two restarts of its clock [ns].
struct ClockRun {
  std::int64_t messages = 0;
  std::int64_t least = 0, greatest = 0;  ///< stamps
  std::int64_t first_log_time = 0, last_log_time = 0;
  std::int64_t least_delay = 0;  ///< time of recording minus stamp
  /// First stamp in the order of the file, and that before it, of the run before.
  std::int64_t begin = 0, before = 0;
};

/// [ns] Times of recording of the first and the last message of a source in a file, in the order of
/// the file.
struct FileSpan {
  size_t file = 0;  ///< number of the file in the recording
  std::int64_t first = 0, last = 0;
};

/// Whether a clock was restarted between two stamps [ns] of one source, in the order of the file.
inline bool isRestart(std::int64_t before, std::int64_t after) {
  return after < before - kClockRestart;
}

/// The runs of a source's clock. Stamps of 0, which may mean that none was set, are left out.
///
/// A run begins where isRestart holds, or where the clock was set back by less than kClockRestart.
/// The smaller step counts if it is at least 50 ms, the times of recording do not go back, and at
/// least five messages follow in order and at the pace at which they were recorded, before the
/// stamps exceed the last stamp before the step. Messages that only arrive out of order do not meet
/// these conditions.
class ClockSurvey {
 public:
  /// @param file  number of the file in the recording, which does not decrease
  void add(std::int64_t stamp, std::int64_t log_time, size_t file = 0);
  /// After the last message.
  void finish();
  /// The runs so far. Their number is limited: at the limit, all later messages belong to the last
  /// run.
  const std::vector<ClockRun>& runs() const { return runs_; }
  std::int64_t restarts() const { return restarts_; }
  /// The files with messages of the source, also with those whose stamp is 0.
  const std::vector<FileSpan>& spans() const { return spans_; }
  /// Mean distance of two messages of a run, ns; 0 if no run has two.
  double period() const;

 private:
  void beginRun(std::int64_t stamp, std::int64_t log_time);
  void decide();

  std::vector<ClockRun> runs_;
  std::vector<FileSpan> spans_;
  std::int64_t restarts_ = 0, last_ = 0;
  bool undecided_ = false;  // the last run may be messages out of order
};

/// Values of one channel of one joint, in the order of the file.
struct ValueSurvey {
  std::int64_t count = 0, nan = 0;
  double min = 0.0, max = 0.0, first = 0.0, last = 0.0;  ///< over the values that are not NaN

  void add(double value);
};

constexpr std::array<const char*, 3> kJointChannels = {"position", "velocity", "effort"};

/// One form of the joint states of a topic: the names in any order, and the lengths of the arrays.
struct JointLayout {
  std::vector<std::string> names;   ///< in the order of the first message
  std::vector<size_t> by_name;      ///< the indices of the names in the order of the alphabet
  std::array<size_t, 3> lengths{};  ///< of position, velocity, effort
  StampSurvey stamps;               ///< of the headers
  /// Index of the first layout with the same joints and the same lengths, where a message with
  /// positions may have velocities or not: layouts that share it come from one publisher.
  size_t publisher = 0;
  /// Number of messages with the stamp of the one before and other numbers: of a coarse clock.
  std::int64_t same_stamp = 0;

  /// Whether the channel (0 position, 1 velocity, 2 effort) has a number per name. Publishers may
  /// leave channels empty.
  bool has(size_t channel) const { return lengths[channel] > 0; }
  bool fits() const;
};

/// Index of the layout of a message. Its joints are put in the order of the layout, if its arrays
/// fit its names. Empty: none of these.
std::optional<size_t> findLayout(const std::vector<JointLayout>& layouts,
                                 JointStateMessage& message);

/// Content of a topic, found in a pass over the recording.
struct TopicSurvey {
  BagTopic topic;
  MessageKind kind = MessageKind::kOther;
  StampSurvey log_times, stamps;  ///< times of recording; stamps of the headers (known kinds only)
  /// [ns] Time of recording minus header stamp. Stamps of 0 are left out if there are others.
  std::int64_t least_delay = 0, most_delay = 0;
  /// Clocks of the headers: for joint states by JointLayout::publisher, otherwise one
  std::vector<ClockSurvey> clocks;
  std::string frame;                                         ///< of the first header
  std::vector<JointLayout> layouts;                          ///< of joint states
  std::map<std::string, std::array<ValueSurvey, 3>> joints;  ///< of joint states with names
  std::vector<ValueSurvey> values;  ///< of a wrench (6) or an inertial sensor (angular velocity,
                                    ///< linear acceleration)
  std::int64_t unreadable = 0;      ///< messages that do not conform to their type
  std::string first_unreadable;     ///< reason for the first of them
};

/// Content of a recording.
struct BagSurvey {
  BagRecording recording;           ///< with its files in the order that was read
  std::vector<TopicSurvey> topics;  ///< in the order of their numbers
  std::vector<DamagedBlock> damaged;
  TopicIndex index;                 ///< of the files, if they were read twice
  std::vector<std::string> losses;  ///< lost data, one sentence each, with its place
  /// checksum errors whose effect is unknown, one sentence each
  std::vector<std::string> wrong_checksums;
  std::vector<std::string> remarks;  ///< without effect on the data
  std::vector<std::string> compressions;
  std::string library;  ///< name of the library that wrote the recording
  std::int64_t messages = 0;
};

/// Reads the whole recording once, or twice if some of it is damaged, and again if its files are
/// not in the order in which the messages of each source were recorded. Only messages that the
/// import uses count for this order: recorders repeat others (/tf_static) at the beginning of each
/// file.
/// @throws InputError if nothing of it can be read
BagSurvey surveyRecording(const BagRecording& recording, const Progress& progress);

}  // namespace dynid
