#include "dynid/import/import_bag.h"

#include "import/imported_bag.h"
#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

using ImportBagPublishers = ImportBag;

/// Messages of two joints, 10 ms apart, some without velocities or efforts.
TestMcap recording(int messages, bool (*has_velocity)(int), bool (*has_effort)(int)) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < messages; ++i) {
    TestJointState message = state(10 * i * kMs, i);
    if (!has_velocity(i)) message.velocity.clear();
    if (!has_effort(i)) message.effort.clear();
    file.message(1, 10 * i * kMs, jointStateBytes(message));
  }
  return file;
}

bool always(int /*message*/) { return true; }
bool isOdd(int message) { return message % 2 == 1; }

TEST_F(ImportBagPublishers, AMissingVelocityCostsNoRow) {
  for (const auto has_velocity : {+[](int i) { return i >= 200; }, &isOdd}) {
    TestMcap file = recording(400, has_velocity, always);
    const ImportResult result = import(file);
    EXPECT_EQ(result.rows, 400);
    EXPECT_THAT(result.notes,
                Contains("200 of 400 messages with the joints a, b (/js) have no velocities: NaN"));
    EXPECT_THAT(result.notes, Not(Contains(HasSubstr("clock"))));
    const RawBlock block = imported();
    for (int i = 0; i < 400; ++i) {
      EXPECT_EQ(block.position(i, 0), i);
      EXPECT_EQ(block.effort(i, 1), 5 * i);
      EXPECT_EQ(std::isnan(block.velocity(i, 1)), !has_velocity(i));
      if (has_velocity(i)) EXPECT_EQ(block.velocity(i, 1), 3 * i);
    }
  }
}

// A row without effort is of no use beside rows that have it.
TEST_F(ImportBagPublishers, MessagesWithoutEffortAreLeftOutAndCounted) {
  TestMcap file = recording(300, isOdd, [](int i) { return i % 3 == 0; });
  const ImportResult result = import(file);
  EXPECT_EQ(result.rows, 100);
  EXPECT_EQ(imported().velocity.col(0).array().isNaN().count(), 50);
  EXPECT_THAT(result.notes,
              Contains("/js: 200 messages with the joints a, b are left out: they have no effort, "
                       "which other messages of these joints have"));
}

TEST_F(ImportBagPublishers, EffortsInOtherMessagesThanThePositionsOfTheSameJoints) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  file.channel(2, "/eff", "sensor_msgs/JointState");
  for (int i = 0; i < 100; ++i) {
    file.message(1, 0, jointStateBytes({10 * i * kMs, {"a", "b"}, {1.0 * i, 0.0}, {}, {}}));
    file.message(2, 0, jointStateBytes({(10 * i + 5) * kMs, {"a", "b"}, {}, {}, {1.0 * i, 2.0}}));
  }
  BagImportOptions options;
  options.topics = {"/js", "/eff"};
  const ImportResult result = import(file, options);
  EXPECT_THAT(result.notes,
              Contains("the efforts of a, b (/eff) come in other messages than the positions of a, "
                       "b (/js): interpolated linearly to the times of the latter"));
  EXPECT_DOUBLE_EQ(imported().effort(10, 0), 9.5);
}

TEST_F(ImportBagPublishers, ASecondRobotWithTheSameJointsIsLeftOut) {
  TestMcap file;
  file.channel(1, "/r1", "sensor_msgs/JointState");
  file.channel(2, "/r2", "sensor_msgs/JointState");
  for (int i = 0; i < 100; ++i)
    for (const int robot : {1, 2})
      file.message(robot, 0, jointStateBytes(state(10 * i * kMs, robot * i)));
  BagImportOptions options;
  options.topics = {"/r1", "/r2"};
  const ImportResult result = import(file, options);
  EXPECT_EQ(imported().position(50, 0), 50.0);
  EXPECT_THAT(result.notes,
              Contains("/r2: 100 messages with the joints a, b are left out: these joints are "
                       "taken from /r1; if they are those of another robot, import each topic by "
                       "itself (`topics`)"));
}

/// Both topics of the joint state broadcaster; each without efforts if its number is in `without`.
TestMcap bothTopics(const std::vector<int>& without) {
  TestMcap file;
  file.channel(1, "/joint_states", "sensor_msgs/msg/JointState");
  file.channel(2, "/dynamic_joint_states", "control_msgs/msg/DynamicJointState");
  for (int i = 0; i < 50; ++i)
    for (const int topic : {1, 2}) {
      TestJointState message = state(10 * i * kMs, i + 1000 * (topic - 1));
      if (std::find(without.begin(), without.end(), topic) != without.end()) message.effort.clear();
      file.message(static_cast<std::uint16_t>(topic),
                   10 * i * kMs,
                   topic == 1 ? jointStateBytes(message) : dynamicStateBytes(message));
    }
  return file;
}

TEST_F(ImportBagPublishers, DynamicJointStatesWhereOnlyTheyHaveEfforts) {
  TestMcap file = bothTopics({1});
  const ImportResult result = import(file);
  ASSERT_EQ(result.effort_kind, EffortKind::kEffort);
  EXPECT_EQ(imported().effort(7, 0), 4.0 * 1007);
  EXPECT_THAT(result.notes,
              Contains("/joint_states holds no efforts: the joint states are taken from "
                       "/dynamic_joint_states, which has them"));
  EXPECT_THAT(result.notes, Not(Contains(HasSubstr("no message holds efforts"))));
}

TEST_F(ImportBagPublishers, JointStatesAreTakenWhereDynamicOnesHaveNoMore) {
  for (const std::vector<int>& without : {std::vector<int>{}, {2}, {1, 2}}) {
    TestMcap file = bothTopics(without);
    const ImportResult result = import(file);
    EXPECT_EQ(imported().position(7, 0), 7.0);
    EXPECT_THAT(result.notes, Not(Contains(HasSubstr("dynamic_joint_states"))));
  }
}

TEST_F(ImportBagPublishers, ANameWithMessagesOfTwoTypes) {
  TestMcap file;
  file.channel(1, "/state", "std_msgs/String");
  file.channel(2, "/state", "sensor_msgs/JointState");
  file.channel(3, "/state", "geometry_msgs/WrenchStamped");
  for (int i = 0; i < 50; ++i) {
    file.message(1, 10 * i * kMs, {0, 1, 0, 0, 1, 0, 0, 0, 0});
    file.message(2, 10 * i * kMs, jointStateBytes(state(10 * i * kMs, i)));
    file.message(3, 10 * i * kMs, wrenchBytes(10 * i * kMs, {1.0 * i, 0, 0, 0, 0, 0}));
  }
  BagImportOptions options;
  options.topics = {"/state"};
  options.wrenches = {{"/state", "tool0"}};
  EXPECT_EQ(import(file, options).rows, 50);
  EXPECT_EQ(imported().position(7, 0), 7.0);
  options.imus = {{"/state", "tool0"}};
  std::filesystem::remove(log());
  EXPECT_EQ(messageOf<UsageError>([&] { importBag({bag()}, log(), options); }),
            "`imu`: the topic /state holds std_msgs/String, sensor_msgs/JointState, "
            "geometry_msgs/WrenchStamped, not sensor_msgs/Imu");
}

}  // namespace
}  // namespace dynid
