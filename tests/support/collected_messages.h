#pragma once

#include "dynid/bags/bag_scan.h"

#include <string>
#include <utility>
#include <vector>

namespace dynid {

/// Keeps all messages.
class CollectedMessages final : public BagSink {
 public:
  struct Message {
    size_t topic;
    std::int64_t log_time;
    std::vector<std::uint8_t> data;
    bool operator==(const Message&) const = default;
  };
  bool topic(size_t /*number*/, const BagTopic& topic) override {
    topics.push_back(topic);
    return true;
  }
  void message(size_t topic, std::int64_t log_time, Bytes data) override {
    messages.push_back({topic, log_time, {data.begin(), data.end()}});
  }
  std::vector<BagTopic> topics;
  std::vector<Message> messages;
};

}  // namespace dynid
