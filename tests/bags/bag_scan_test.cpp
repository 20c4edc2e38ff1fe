#include "dynid/bags/bag_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace dynid {
namespace {

class Times final : public BagSink {
 public:
  bool topic(size_t /*number*/, const BagTopic& /*topic*/) override { return true; }
  void message(size_t /*topic*/, std::int64_t log_time, Bytes /*data*/) override {
    all.push_back(log_time);
  }
  std::vector<std::int64_t> all;
};

// Differences of times are computed as integers: those of damaged files must not overflow.
TEST(BagScan, LimitsTimesToThoseOfClocks) {
  constexpr std::int64_t kNow = 1'700'000'000'123'456'789;
  Times times;
  BagScan scan(times);
  scan.beginFile(0, "input", "");
  const size_t topic = scan.topic({"/joint_states", "sensor_msgs/msg/JointState", "cdr"});
  for (const std::int64_t time : {kNow,
                                  std::int64_t{-1},
                                  std::numeric_limits<std::int64_t>::min(),
                                  std::numeric_limits<std::int64_t>::max()})
    scan.message(topic, time, {});
  EXPECT_THAT(times.all, testing::ElementsAre(kNow, 0, 0, kLatestTime));
}

TEST(BagScan, SumsAnnouncedMessagesWithoutOverflow) {
  Times times;
  BagScan scan(times);
  EXPECT_FALSE(scan.announced());
  scan.announce(7);
  scan.announce(-1);
  EXPECT_EQ(scan.announced(), 7);
  for (int file = 0; file < 2; ++file) scan.announce(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(scan.announced(), std::int64_t{1} << 53);
}

}  // namespace
}  // namespace dynid
