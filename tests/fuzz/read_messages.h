#pragma once

#include "dynid/bags/bag_scan.h"
#include "dynid/bags/bag_survey.h"

#include <cstddef>
#include <cstdint>

namespace dynid::fuzz {

/// Reads every message as joint states, whatever type the recording states.
class JointStateSink final : public BagSink {
 public:
  bool topic(size_t /*number*/, const BagTopic& topic) override {
    topics_.push_back(topic);
    return true;
  }
  void message(size_t topic, std::int64_t /*log_time*/, Bytes data) override {
    try {
      readJoints(topics_[topic], data, joints_);
    } catch (const DamagedBytes&) {
    }
  }

 private:
  std::vector<BagTopic> topics_;
  JointStateMessage joints_;
};

/// Runs a reader of recordings. It may read all, a part, or refuse; any other exception ends the
/// process, which the fuzzer reports.
template <typename Reader>
int readMessages(const Reader& reader) {
  JointStateSink sink;
  BagScan scan(sink);
  scan.beginFile(0, "input", "");
  try {
    reader(scan);
  } catch (const DamagedBytes&) {
  }
  return 0;
}

}  // namespace dynid::fuzz
