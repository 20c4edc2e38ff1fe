// Clocks that are restarted during a recording, and those of other topics.
#include "dynid/logs/body_channels.h"

#include "import/imported_bag.h"
#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

using ImportBagClocks = ImportBag;

TEST_F(ImportBagClocks, AClockThatIsStartedAnewGoesOnBehindWhatWasBefore) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  file.channel(2, "/effort", "sensor_msgs/JointState");
  for (int i = 0; i < 400; ++i) {
    const std::int64_t stamp = 10 * (i < 200 ? 10000 + i : i - 199) * kMs;
    const std::int64_t recorded = (50000 + 10 * i + (i < 200 ? 0 : 20000)) * kMs;
    TestJointState motion = state(stamp, i), effort = motion;
    motion.effort.clear();
    effort.position.clear();
    effort.velocity.clear();
    file.message(2, recorded, jointStateBytes(effort));
    file.message(1, recorded + kMs, jointStateBytes(motion));
  }
  BagImportOptions options;
  options.topics = {"/js", "/effort"};
  const ImportResult result = import(file, options);
  const RawBlock block = imported();
  ASSERT_EQ(block.time.size(), 400);
  EXPECT_DOUBLE_EQ(block.time[199], 101.99);
  EXPECT_NEAR(block.time[200], 101.99 + 20.01, 1e-9);
  EXPECT_NEAR(block.time[399], 101.99 + 22.0, 1e-9);
  EXPECT_EQ(block.effort.col(0), 4.0 * block.position.col(0));
  EXPECT_THAT(result.notes, Contains(HasSubstr("the clock of /js is set back 1 times")));
}

/// Two runs of 10 s at 100 Hz whose stamps begin at 1 s. Every value is the time since the
/// beginning of the first run; the second one begins at 10.
struct TwoRuns {
  std::int64_t stamp, recorded;
  double value;
};

std::vector<TwoRuns> twoRuns() {
  std::vector<TwoRuns> all;
  for (int i = 0; i < 2000; ++i)
    all.push_back(
        {(1000 + 10 * (i % 1000)) * kMs, (50000 + 10 * i + (i < 1000 ? 0 : 50)) * kMs, 0.01 * i});
  return all;
}

// The joints come in another order after the restart.
TEST_F(ImportBagClocks, ARestartedClockIsThatOfAllSources) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  int number = 0;
  for (const auto& [stamp, recorded, x] : twoRuns()) {
    TestJointState motion = {stamp, {"a", "b"}, {x, 0.0}, {1.0, 0.0}, {}};
    if (x >= 10.0) motion = {stamp, {"b", "a"}, {0.0, x}, {0.0, 1.0}, {}};
    file.message(1, recorded, jointStateBytes(motion));
    if (number % 10 == 0)
      file.message(1, recorded, jointStateBytes({stamp, {"finger"}, {x}, {}, {}}));
    if (number % 100 == 0)
      file.message(1, recorded, jointStateBytes({stamp, {"slow"}, {x}, {1.0}, {}}));
    ++number;
  }
  const ImportResult result = import(file);
  const RawBlock block = imported();
  ASSERT_EQ(block.time.size(), 2000);
  EXPECT_NEAR(block.time[1000] - block.time[999], 5.0, 1e-9);
  for (Eigen::Index i = 0; i < 2000; ++i) {
    EXPECT_DOUBLE_EQ(block.position(i, 0), 0.01 * static_cast<double>(i));
    EXPECT_NEAR(block.position(i, 2), block.position(i, 0), 0.091) << i;
    if (i % 1000 > 900)
      EXPECT_TRUE(std::isnan(block.position(i, 3))) << i << ": behind the last message of its run";
    else
      EXPECT_NEAR(block.position(i, 3), block.position(i, 0), 1e-9) << i;
  }
  EXPECT_THAT(result.notes, Contains(HasSubstr("the clock of /js is set back 1 times")));
}

TEST_F(ImportBagClocks, SensorsBesideARestartedClock) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  file.channel(2, "/ft", "geometry_msgs/msg/WrenchStamped");
  file.channel(3, "/imu", "sensor_msgs/msg/Imu");
  for (const auto& [stamp, recorded, x] : twoRuns()) {
    file.message(1, recorded, jointStateBytes({stamp, {"a"}, {x}, {}, {}}));
    file.message(2, recorded, wrenchBytes(0, {x, 0, 0, 0, 0, 0}));
    if (x >= 10.0) file.message(3, recorded, imuBytes(stamp, {x, 0, 0, 0, 0, 0}));
  }
  BagImportOptions options;
  options.wrenches = {{"/ft", "tool0"}};
  options.imus = {{"/imu", "tool0"}};
  import(file, options);
  const BodyReader reader(log(), {"tool0"}, 2000);
  const BodySamples samples = reader.read(0, 0, 2000);
  for (int i = 0; i < 2000; ++i) {
    EXPECT_NEAR(samples.wrench(i, 0), 0.01 * i, 1e-9) << i;
    if (i < 1000)
      EXPECT_TRUE(std::isnan(samples.angular_velocity(i, 0))) << i;
    else
      EXPECT_NEAR(samples.angular_velocity(i, 0), 0.01 * i, 1e-9) << i;
  }
}

// Sorted by their stamps, the messages of half a second would be those of two motions in turn.
TEST_F(ImportBagClocks, AClockThatIsSetBackByHalfASecondGoesOnBehindWhatWasBefore) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 1000; ++i)
    file.message(1,
                 (70'000 + 10 * i) * kMs,
                 jointStateBytes(state((50'000 + 10 * i - (i < 500 ? 0 : 500)) * kMs, i)));
  const ImportResult result = import(file);
  const RawBlock block = imported();
  ASSERT_EQ(block.time.size(), 1000);
  EXPECT_EQ(block.position.col(0), Eigen::VectorXd::LinSpaced(1000, 0.0, 999.0));
  EXPECT_NEAR(block.time[500] - block.time[499], 5.0, 1e-9);
  EXPECT_THAT(result.notes, Contains(HasSubstr("the clock of /js is set back 1 times")));
}

// The driver of the hand is started anew; the arm goes on.
TEST_F(ImportBagClocks, ASourceThatIsRestartedAloneIsPlacedByTheTimesOfRecording) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (const auto& [stamp, recorded, x] : twoRuns()) {
    const std::int64_t arm = recorded - 49'000 * kMs;
    file.message(1, recorded, jointStateBytes({arm, {"a", "b"}, {x, 0}, {1.0, 0}, {x, 0}}));
    file.message(1, recorded, jointStateBytes({stamp, {"hand"}, {x}, {1.0}, {}}));
  }
  const ImportResult result = import(file);
  const RawBlock block = imported();
  for (Eigen::Index i = 0; i < 2000; ++i)
    EXPECT_NEAR(block.position(i, 2), block.position(i, 0), 1e-9) << i;
  EXPECT_THAT(result.notes,
              Contains("the clock of joints hand is not restarted together with that of /js: the "
                       "times of recording are used for the former"));
}

TEST_F(ImportBagClocks, ATopicWithAnotherClockIsPlacedByTheTimesOfRecording) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  file.channel(2, "/effort", "sensor_msgs/JointState");
  for (int i = 0; i < 50; ++i) {
    const std::int64_t recorded = (900'000 + 10 * i) * kMs;
    TestJointState motion = state((500'000 + 10 * i) * kMs, i), effort = state(10 * i * kMs, i);
    motion.effort.clear();
    effort.position.clear();
    effort.velocity.clear();
    file.message(1, recorded, jointStateBytes(motion));
    file.message(2, recorded, jointStateBytes(effort));
  }
  BagImportOptions options;
  options.topics = {"/js", "/effort"};
  const ImportResult result = import(file, options);
  const RawBlock block = imported();
  EXPECT_EQ(block.time[0], 500.0);
  EXPECT_EQ(block.effort.col(0), 4.0 * block.position.col(0));
  EXPECT_THAT(result.notes, Contains(HasSubstr("are of different clocks")));
}

// Two recorders of one topic, or a relay: a coarse clock would be suspected.
TEST_F(ImportBagClocks, MessagesThatAreRecordedTwice) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  file.channel(2, "/ft", "geometry_msgs/WrenchStamped");
  std::int64_t repeated = 0;
  for (int i = 0; i < 9000; ++i) {
    TestJointState message = state(10 * i * kMs, i);
    message.velocity = {std::nan(""), 1.0};
    for (int again = 0; again <= (i % 7 == 0 ? 1 : 0); ++again)
      file.message(1, 10 * i * kMs, jointStateBytes(message));
    repeated += i % 7 == 0 ? 1 : 0;
    file.message(2, 10 * i * kMs, wrenchBytes((10 * i + 4) * kMs, {1.0 * i, 0, 0, 0, 0, 0}));
  }
  BagImportOptions options;
  options.wrenches = {{"/ft", "tool0"}};
  const ImportResult result = import(file, options);
  ASSERT_EQ(result.rows, 9000);
  EXPECT_THAT(result.notes,
              Contains(std::to_string(repeated) +
                       " rows repeat the row before them in time and in every value (recorded "
                       "twice?): left out"));
  EXPECT_EQ(imported().position.col(0), Eigen::VectorXd::LinSpaced(9000, 0.0, 8999.0));
}

// Several messages with one stamp of a coarse clock are samples, also of a robot at rest.
TEST_F(ImportBagClocks, EqualStampsWithOtherValuesAreRows) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 100; ++i)
    file.message(1, 10 * i * kMs, jointStateBytes(state(20 * (i / 2) * kMs, std::max(i, 50))));
  const ImportResult result = import(file);
  EXPECT_EQ(result.rows, 100);
  EXPECT_THAT(result.notes, Not(Contains(HasSubstr("repeat"))));
}

}  // namespace
}  // namespace dynid
