#pragma once

#include "dynid/bags/byte_stream.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace dynid {

/// [ns] Latest time of a message that is accepted (in the year 2116). Damaged files may contain any
/// 64-bit number. Differences of two times between -kLatestTime / 2 and kLatestTime do not
/// overflow; all header stamps lie in this range.
constexpr std::int64_t kLatestTime = std::int64_t{1} << 62;

/// A topic of a recording.
struct BagTopic {
  std::string name;
  std::string type;      ///< as "sensor_msgs/JointState": in a BagSink without the "/msg/" of ROS 2
  std::string encoding;  ///< of the messages: "cdr" (ROS 2), "ros1", or another
};

/// Receives the content of a recording, in the order of the file.
class BagSink {
 public:
  virtual ~BagSink() = default;
  /// Called at the beginning of each file. @param number  of the file in the recording
  virtual void file(size_t /*number*/) {}
  /// Called once per topic. @param number  counts from 0 over all files of the recording
  /// @returns whether the messages of the topic are to be delivered with their bytes
  virtual bool topic(size_t number, const BagTopic& topic) = 0;
  /// Called once per message. @param log_time  [ns] time of recording, 0 to kLatestTime
  /// @param data  empty if not requested
  virtual void message(size_t topic, std::int64_t log_time, Bytes data) = 0;
};

/// A damaged block (chunk) with compression or a checksum; none of its messages is used.
struct DamagedBlock {
  size_t file = 0;            ///< number of the file in the recording
  std::uint64_t offset = 0;   ///< of the block's record in the file
  std::int64_t messages = 0;  ///< delivered before the damage was detected
  std::string loss;           ///< the damage in a sentence, with file and place
  auto key() const { return std::pair(file, offset); }
};

/// Topics in the index at the end of each file, by number of the file and number in the file.
using TopicIndex = std::map<std::pair<size_t, std::uint32_t>, BagTopic>;

/// One pass over all files of a recording. Messages of a damaged block are delivered before the
/// damage is detected: a second pass that is given the damaged blocks leaves them out. If the
/// record that names a topic is damaged, the topic is found in the index, which only the second
/// pass knows from the beginning.
class BagScan {
 public:
  /// @param leave_out  damaged blocks found in an earlier pass
  /// @param index  topics found in the same pass
  explicit BagScan(BagSink& sink,
                   const std::vector<DamagedBlock>& leave_out = {},
                   TopicIndex index = {});

  /// Starts a file, to which the following messages belong. @param compression  of the whole file,
  /// or ""
  void beginFile(size_t number, const std::string& path, const std::string& compression);
  /// The number of a topic. A new topic is reported to the sink.
  /// @throws DamagedBytes for names of unreasonable length, or too many topics
  size_t topic(const BagTopic& topic);
  /// Records a topic of the index at the end of the file. @param id  number in this file
  /// @throws DamagedBytes as topic()
  void indexTopic(std::uint32_t id, BagTopic topic);
  /// A topic of the index that an earlier pass found; nullptr if there is none.
  const BagTopic* indexed(std::uint32_t id) const;
  bool wants(size_t topic) const { return wanted_[topic]; }
  /// @param log_time  [ns] as in the file; times before 1970 or after kLatestTime are limited to
  /// them
  void message(size_t topic, std::int64_t log_time, Bytes data);
  /// Counts a message of a topic that no record of the file has named. @param id  of the topic
  void loseMessageOf(std::uint32_t id, std::uint64_t offset, const std::string& why);
  /// Counts a message that cannot be delivered. @param why  reason for the report
  void loseMessage(std::uint64_t offset, const std::string& why);

  bool leavesOut(std::uint64_t offset) const { return leave_out_.contains({file_, offset}); }
  /// Marks the beginning of a block, whose messages are counted.
  void beginBlock() { in_block_ = 0; }
  void damagedBlock(std::uint64_t offset, const std::string& why);
  /// Records that the file cannot be read from `offset` on.
  void cutAt(std::uint64_t offset, const std::string& why);
  /// Records a wrong checksum if the messages concerned are not known.
  void wrongChecksum(const std::string& text);
  /// Records a remark about the current file that does not mean a loss of data.
  void remark(const std::string& text) { remarks_.push_back(path_ + ": " + text); }
  void compression(const std::string& name) { compressions_.insert(name.empty() ? "none" : name); }
  /// Adds the number of messages that the current file declares, up to 2^53 in all.
  void announce(std::int64_t messages);
  void library(const std::string& text) { library_ = text; }

  const std::vector<BagTopic>& topics() const { return topics_; }
  const std::vector<DamagedBlock>& damaged() const { return damaged_; }
  const TopicIndex& index() const { return found_index_; }
  /// Whether a second pass finds more than this one.
  bool isToBeRepeated() const;
  /// Losses of data, each a sentence with file and place; first those of the blocks left out.
  const std::vector<std::string>& losses() const { return losses_; }
  const std::vector<std::string>& wrongChecksums() const { return wrong_checksums_; }
  const std::vector<std::string>& remarks() const { return remarks_; }
  const std::set<std::string>& compressions() const { return compressions_; }
  std::int64_t messages() const { return messages_; }
  std::int64_t lostMessages() const { return lost_messages_; }
  std::optional<std::int64_t> announced() const { return announced_; }
  const std::string& libraryText() const { return library_; }
  const std::string& path() const { return path_; }

 private:
  void addLoss(const std::string& text);

  BagSink& sink_;
  std::set<std::pair<size_t, std::uint64_t>> leave_out_;
  TopicIndex known_index_, found_index_;
  std::set<std::pair<size_t, std::uint32_t>> unknown_;  // topics of lost messages
  size_t file_ = 0;
  std::string path_, library_;
  std::vector<BagTopic> topics_;
  std::vector<bool> wanted_;
  std::map<std::tuple<std::string, std::string, std::string>, size_t> numbers_;
  std::vector<DamagedBlock> damaged_;
  std::vector<std::string> losses_, wrong_checksums_, remarks_;
  std::set<std::string> compressions_;
  std::int64_t messages_ = 0, lost_messages_ = 0, in_block_ = 0;
  std::optional<std::int64_t> announced_;
};

/// "sensor_msgs/msg/JointState" to "sensor_msgs/JointState"; other text to itself.
std::string plainType(const std::string& type);

}  // namespace dynid
