#include "dynid/import/import_bag.h"

#include "dynid/logs/body_channels.h"

#include "import/imported_bag.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST_F(ImportBag, BothByteOrdersAndAnyOrderOfJoints) {
  TestMcap file("zstd");
  file.channel(1, "/joint_states", "sensor_msgs/msg/JointState");
  for (int i = 0; i < 10; ++i) {
    TestJointState message = state(1000 * kMs + i * kMs, i);
    if (i % 2 == 1) {
      for (auto* numbers : {&message.position, &message.velocity, &message.effort})
        std::swap((*numbers)[0], (*numbers)[1]);
      std::swap(message.names[0], message.names[1]);
    }
    file.message(1, i, jointStateBytes(message, i % 3 == 0));
  }
  const ImportResult result = import(file);
  EXPECT_EQ(result.rows, 10);
  EXPECT_THAT(result.joint_names, ElementsAre("a", "b"));
  EXPECT_THAT(result.losses, IsEmpty());
  const RawBlock block = imported();
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(block.time[i], 1.0 + i * 1e-3);
    EXPECT_EQ(block.position.row(i), Eigen::RowVector2d(i, -i));
    EXPECT_EQ(block.velocity.row(i), Eigen::RowVector2d(2 * i, 3 * i));
    EXPECT_EQ(block.effort.row(i), Eigen::RowVector2d(4 * i, 5 * i));
  }
}

TEST_F(ImportBag, StampsSince1970AreCountedFromTheFirstRow) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i)
    file.message(1, 0, jointStateBytes(state(1700000000123456789 + i, 1)));
  const ImportResult result = import(file);
  EXPECT_EQ(imported().time, Eigen::Vector3d(0, 1e-9, 2e-9));
  EXPECT_THAT(result.notes, Contains("time is counted from 1700000000123456789 ns"));
}

TEST_F(ImportBag, AnglesThatWrapAreMadeContinuous) {
  TestMcap file("zstd");
  file.channel(1, "/joint_states", "sensor_msgs/msg/JointState");
  for (int i = 0; i < 100; ++i) {
    TestJointState message = state(1000 * kMs + i * kMs, 0.0);
    message.position = {std::remainder(0.1 * i, 2.0 * std::numbers::pi), 0.5};
    file.message(1, i, jointStateBytes(message, false));
  }
  const ImportResult result = import(file);
  EXPECT_THAT(result.notes,
              Contains("the angle of a wraps at a full turn 2 times: it was made continuous"));
  const RawBlock block = imported();
  for (Eigen::Index i = 0; i < 100; ++i)
    EXPECT_NEAR(block.position(i, 0), 0.1 * static_cast<double>(i), 1e-12);
  EXPECT_EQ(block.position.col(1), Eigen::VectorXd::Constant(100, 0.5));
}

// Interpolation between 3.1 and -3.1 would give 0 in place of half a turn.
TEST_F(ImportBag, AnglesThatWrapAreMadeContinuousBeforeTheyAreInterpolated) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 400; ++i) {
    const double angle = 0.05 * i;
    file.message(1, 0, jointStateBytes(state(10 * i * kMs, i)));
    file.message(1,
                 0,
                 jointStateBytes({(10 * i + 5) * kMs,
                                  {"wrist"},
                                  {std::remainder(angle, 2.0 * std::numbers::pi)},
                                  {1.0},
                                  {}}));
  }
  const ImportResult result = import(file);
  EXPECT_THAT(result.notes,
              Contains("the angle of wrist wraps at a full turn 3 times: it was made continuous"));
  const RawBlock block = imported();
  for (Eigen::Index i = 1; i < 400; ++i)
    EXPECT_NEAR(block.position(i, 2), 0.05 * (static_cast<double>(i) - 0.5), 1e-12);
}

TEST_F(ImportBag, TimesOfRecordingWhereNoStampIsSet) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i) file.message(1, 5000 * kMs + i * kMs, jointStateBytes(state(0, i)));
  const ImportResult result = import(file);
  EXPECT_EQ(imported().time, Eigen::Vector3d(5.0, 5.001, 5.002));
  EXPECT_THAT(
      result.notes,
      Contains("the header stamps of /js are all 0: the times of recording are used instead"));
}

TEST_F(ImportBag, AStampOf0AmongOthersIsATime) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i) file.message(1, 5000 * kMs, jointStateBytes(state(i * kMs, i)));
  import(file);
  EXPECT_EQ(imported().time, Eigen::Vector3d(0, 0.001, 0.002));
}

TEST_F(ImportBag, AMessageWithoutStampAmongStampedOnesIsLeftOut) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 30; ++i)
    file.message(
        1,
        (90000 + 10 * i) * kMs,
        jointStateBytes(state(i == 0 || i == 7 ? 0 : 1'700'000'000'000 * kMs + 10 * i * kMs, i)));
  const ImportResult result = import(file);
  EXPECT_EQ(result.rows, 28);
  const RawBlock block = imported();
  EXPECT_EQ(block.time[0], 0.0);
  EXPECT_EQ(block.time[27], 0.28);
  EXPECT_THAT(result.notes, Contains("2 messages of /js without a time stamp (0) are left out"));
  EXPECT_THAT(result.notes, Contains("time is counted from 1700000000010000000 ns"));
  EXPECT_THAT(result.notes, Not(Contains(HasSubstr("jumps back"))));
}

TEST_F(ImportBag, TimesOfRecordingWhereAllStampsAreEqualOrOnDemand) {
  TestMcap file, stamped;
  for (TestMcap* one : {&file, &stamped}) {
    one->channel(1, "/js", "sensor_msgs/JointState");
    for (int i = 0; i < 5; ++i)
      one->message(
          1, (5000 + i) * kMs, jointStateBytes(state(one == &file ? 77 : (i + 1) * 1000 * kMs, i)));
  }
  const ImportResult result = import(file);
  EXPECT_THAT(
      result.notes,
      Contains("the header stamps of /js are all equal: the times of recording are used instead"));
  Eigen::VectorXd expected(5);
  expected << 5.0, 5.001, 5.002, 5.003, 5.004;
  EXPECT_EQ(imported().time, expected);
  BagImportOptions options;
  options.log_time = true;
  import(stamped, options);
  EXPECT_EQ(imported().time, expected);
}

TEST_F(ImportBag, MessagesRecordedLateAndOutOfOrder) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (const int i : {0, 3, 1, 2, 4})
    file.message(1, (10 * i + 700) * kMs, jointStateBytes(state(10 * i * kMs, i)));
  file.message(1, 9000 * kMs, jointStateBytes(state(50 * kMs, 5)));
  const ImportResult result = import(file);
  const RawBlock block = imported();
  for (int i = 0; i < 6; ++i) EXPECT_EQ(block.position(i, 0), i);
  EXPECT_THAT(result.notes, Contains("2 rows came after later ones and were put in order"));
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("recorded 0.700 to 8.950 s after its header stamps")));
}

TEST_F(ImportBag, TwoPublishersOnOneTopic) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 20; ++i) {
    file.message(1, 0, jointStateBytes(state(10 * i * kMs, i)));
    file.message(1, 0, jointStateBytes({(10 * i + 5) * kMs, {"c"}, {2.0 * i}, {1.0}, {}}));
    file.message(1, 0, jointStateBytes({(10 * i + 3) * kMs, {"grip"}, {3.0 * i}, {}, {}}));
  }
  const ImportResult result = import(file);
  EXPECT_EQ(result.rows, 20);
  EXPECT_THAT(result.joint_names, ElementsAre("a", "b", "c", "grip"));
  const RawBlock block = imported();
  EXPECT_EQ(block.position.row(7).head<2>(), Eigen::RowVector2d(7, -7));
  EXPECT_DOUBLE_EQ(block.position(7, 2), 13.0) << "between 12 and 14";
  EXPECT_EQ(block.position(7, 3), 21.0) << "the nearest";
  EXPECT_TRUE(std::isnan(block.effort(7, 2)));
  EXPECT_THAT(result.notes, Contains("no effort of c, grip: NaN"));
  EXPECT_THAT(result.notes,
              Contains("the positions, velocities of c (/js) come in other messages than the "
                       "positions of a, b (/js): interpolated linearly to the times of the "
                       "latter"));
  EXPECT_THAT(result.notes,
              Contains("`identify` needs the effort of every joint of the robot: if the robot has "
                       "c, grip, leave them out with `exclude_joints` c `exclude_joints` grip"));
}

TEST_F(ImportBag, MissingEffortsAndNan) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i)
    file.message(1, 0, jointStateBytes({i * kMs, {"a", "b"}, {i == 1 ? kNaN : 1.0, 2.0}, {}, {}}));
  ImportResult result = import(file);
  EXPECT_EQ(result.effort_kind, EffortKind::kNone);
  EXPECT_FALSE(result.has_velocity);
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("no message holds efforts: dynamics cannot be identified")));
  EXPECT_TRUE(std::isnan(imported().position(1, 0)));
  EXPECT_EQ(imported().position(1, 1), 2.0);

  TestMcap nan_efforts;
  nan_efforts.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i)
    nan_efforts.message(1, 0, jointStateBytes({i * kMs, {"a", "b"}, {1, 2}, {}, {kNaN, 3.0}}));
  result = import(nan_efforts);
  EXPECT_EQ(result.effort_kind, EffortKind::kEffort);
  EXPECT_THAT(result.notes, Contains("effort of a is NaN in every message"));

  TestMcap only_nan;
  only_nan.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i)
    only_nan.message(1, 0, jointStateBytes({i * kMs, {"a"}, {1}, {}, {kNaN}}));
  result = import(only_nan);
  EXPECT_EQ(result.effort_kind, EffortKind::kNone);
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("no message holds efforts: dynamics cannot be identified")));
}

TEST_F(ImportBag, MessagesWithoutNames) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i)
    file.message(1, 0, jointStateBytes({i * kMs, {}, {1.0 * i, 2.0}, {}, {}}));
  EXPECT_EQ(complaint<InputError>(file),
            "bag.mcap: /js: its messages hold 2 numbers per channel but no joint names; give the "
            "names in their "
            "order with `joints` a,b,c");
  BagImportOptions options;
  options.joints = {"x"};
  EXPECT_EQ(complaint<UsageError>(file, options),
            "`joints`: 1 names, but the messages of /js hold 2 numbers per channel");
  options.joints = {"x", "y"};
  EXPECT_THAT(import(file, options).joint_names, ElementsAre("x", "y"));
  EXPECT_EQ(imported().position.row(2), Eigen::RowVector2d(2, 2));
}

TEST_F(ImportBag, ArraysThatDoNotFitTheNames) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i)
    file.message(1, i, jointStateBytes({i * kMs, {"a", "b"}, {1.0, 2.0}, {}, {3.0}}));
  EXPECT_THAT(complaint<InputError>(file),
              HasSubstr("/js: its messages name 2 joints, but their effort arrays hold 1 numbers"));
}

TEST_F(ImportBag, AJointWithoutAName) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i)
    file.message(1, 0, jointStateBytes({i * kMs, {"a", ""}, {1.0 * i, 2.0}, {}, {}}));
  EXPECT_EQ(complaint<InputError>(file), "bag.mcap: /js: a message holds a joint without a name");
}

// One faulty message does not cost the recording.
TEST_F(ImportBag, SingleMessagesWithWrongNamesAreLeftOut) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 30; ++i) {
    std::vector<std::string> names = {"a", "b"};
    if (i == 7) names = {"a", ""};
    if (i == 11) names = {"b", "b"};
    if (i == 13) names = {"a", std::string(1, '\0')};
    file.message(1, 0, jointStateBytes({i * kMs, names, {1.0 * i, 2.0}, {}, {}}));
  }
  const ImportResult result = import(file);
  EXPECT_THAT(result.joint_names, ElementsAre("a", "b"));
  EXPECT_EQ(imported().position.rows(), 27);
  EXPECT_THAT(result.notes, Contains(HasSubstr("3 messages whose arrays do not fit their names")));
}

TEST_F(ImportBag, JointsAreChosenByName) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i) file.message(1, 0, jointStateBytes(state(i * kMs, i)));
  BagImportOptions options;
  options.joints = {"bb"};
  EXPECT_THAT(complaint<UsageError>(file, options),
              HasSubstr("`joints`: the recording has no joint \"bb\"; did you mean \"b\"?"));
  options.joints = {"b"};
  EXPECT_THAT(import(file, options).joint_names, ElementsAre("b"));
  EXPECT_EQ(imported().position(2, 0), -2.0);
}

// The wheels come in more messages than the arm, and would lead without the choice of joints.
TEST_F(ImportBag, JointsOfAPublisherThatDoesNotLead) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 10; ++i) {
    file.message(1, 0, jointStateBytes({10 * i * kMs, {"wheel"}, {0.1 * i}, {1.0}, {2.0}}));
    if (i % 2 == 0) file.message(1, 0, jointStateBytes(state((10 * i + 3) * kMs, i)));
  }
  BagImportOptions options;
  options.joints = {"b", "a"};
  const ImportResult result = import(file, options);
  EXPECT_EQ(result.rows, 5);
  EXPECT_THAT(result.joint_names, ElementsAre("b", "a"));
  EXPECT_EQ(imported().time[1], 0.023);
  EXPECT_EQ(imported().position.row(4), Eigen::RowVector2d(-8, 8));
  EXPECT_THAT(result.notes, Not(Contains(HasSubstr("wheel"))));
  options.joints = {"a", "wheel"};
  EXPECT_EQ(import(file, options).rows, 10);
}

TEST_F(ImportBag, SeveralTopicsOrNone) {
  TestMcap file;
  file.channel(1, "/joint_states", "sensor_msgs/msg/JointState");
  file.channel(2, "/joint_cmd", "sensor_msgs/msg/JointState");
  file.channel(3, "/text", "std_msgs/msg/String");
  for (int i = 0; i < 3; ++i)
    for (const std::uint16_t topic : {1, 2})
      file.message(topic, 0, jointStateBytes(state(i * kMs, topic)));
  EXPECT_EQ(complaint<UsageError>(file),
            "bag.mcap: several topics hold joint states: /joint_states (sensor_msgs/JointState, 3 "
            "messages), "
            "/joint_cmd (sensor_msgs/JointState, 3 messages); choose with `topics` NAME "
            "(repeatable, to merge "
            "different joints)");
  BagImportOptions options;
  options.topics = {"/joint_state"};
  EXPECT_THAT(complaint<UsageError>(file, options), HasSubstr("did you mean \"/joint_states\"?"));
  options.topics = {"/text"};
  EXPECT_THAT(complaint<UsageError>(file, options),
              HasSubstr("`topics`: the topic /text holds std_msgs/String, not joint states"));
  options.topics = {"/joint_cmd", "/joint_cmd"};
  EXPECT_EQ(complaint<UsageError>(file, options), "`topics`: /joint_cmd is given twice");
  options.topics = {"/joint_cmd"};
  import(file, options);
  EXPECT_EQ(imported().position(0, 0), 2.0);

  TestMcap none;
  none.channel(3, "/text", "std_msgs/String");
  none.message(3, 0, {0, 1, 0, 0});
  std::filesystem::remove(log());
  EXPECT_EQ(complaint<InputError>(none),
            "bag.mcap: holds no joint states (sensor_msgs/JointState); its topics are /text "
            "(std_msgs/String, 1 messages)");
}

TEST_F(ImportBag, SensorsComeToTheTimesOfTheJoints) {
  TestMcap file("lz4");
  file.channel(1, "/js", "sensor_msgs/JointState");
  file.channel(2, "/ft", "geometry_msgs/msg/WrenchStamped");
  file.channel(3, "/imu", "sensor_msgs/msg/Imu");
  for (int i = 0; i < 50; ++i) {
    const double w = i, a = 10.0 * i;
    const std::int64_t stamp = (1000 + 10 * i) * kMs;
    file.message(2, 0, wrenchBytes(stamp - 2 * kMs, {w, 2 * w, 0, 0, 0, 3 * w}));
    file.message(1, 0, jointStateBytes(state(stamp, i)));
    file.message(3, 0, imuBytes(stamp + 4 * kMs, {a, 0, 0, 0, 0, 2 * a}));
  }
  BagImportOptions options;
  options.wrenches = {{"/ft", "tool0"}};
  options.imus = {{"/imu", "tool0"}};
  const ImportResult result = import(file, options);
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("/ft (50 messages, frame \"sensor\") is interpolated linearly to "
                                 "the times of the joint states")));
  const BodyReader reader(log(), {"tool0"}, 50);
  const BodySamples samples = reader.read(0, 0, 50);
  for (int i = 1; i < 49; ++i) {
    EXPECT_NEAR(samples.wrench(i, 5), 3 * (i + 0.2), 1e-9);
    EXPECT_NEAR(samples.angular_velocity(i, 0), 10 * (i - 0.4), 1e-9);
    EXPECT_NEAR(samples.linear_acceleration(i, 2), 20 * (i - 0.4), 1e-9);
  }
}

TEST_F(ImportBag, AWrenchAloneIsWrittenAndNotUsed) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  file.channel(2, "/ft", "geometry_msgs/WrenchStamped");
  for (int i = 0; i < 5; ++i) {
    file.message(1, 0, jointStateBytes(state(10 * i * kMs, i)));
    file.message(2, 0, wrenchBytes(10 * i * kMs, {1, 2, 3, 4, 5, 6}));
  }
  BagImportOptions options;
  options.wrenches = {{"/ft", "tool0"}};
  EXPECT_THAT(import(file, options).notes, Contains(HasSubstr("tool0 has a wrench only")));
  const BodyReader reader(log(), {"tool0"}, 5);
  EXPECT_THAT(reader.links(), IsEmpty());
  EXPECT_EQ(reader.groups(), 0);
}

TEST_F(ImportBag, AWrongChecksumOfUnknownConsequenceIsRefused) {
  TestMcap file("", false);
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i) file.message(1, 0, jointStateBytes(state(i * kMs, i)));
  writeBytes(bag(), file.finish(true, true));
  EXPECT_THAT(messageOf<InputError>([&] { importBag({bag()}, log()); }),
              HasSubstr("the checksum over all records is wrong"));
  BagImportOptions options;
  options.accept_wrong_checksums = true;
  EXPECT_EQ(importBag({bag()}, log(), options).losses.size(), 1U);
}

TEST_F(ImportBag, DamagedChunksAreCounted) {
  TestMcap file("zstd");
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 30; ++i) {
    file.message(1, 0, jointStateBytes(state(i * kMs, i)));
    if (i % 10 == 9) file.endChunk(0, i == 19);
  }
  const ImportResult result = import(file);
  EXPECT_EQ(result.rows, 20);
  EXPECT_THAT(result.losses,
              ElementsAre(HasSubstr("its checksum is wrong; 10 messages could be seen in it"),
                          "of 30 messages that were recorded, 10 are lost"));
}

// Only the first chunk holds the records that name the topics; the end of the file repeats them.
TEST_F(ImportBag, ADamagedFirstChunkCostsOnlyItsMessages) {
  for (const char* compression : {"", "zstd"}) {
    TestMcap file(compression);
    file.channel(1, "/js", "sensor_msgs/JointState");
    for (int i = 0; i < 30; ++i) {
      file.message(1, 0, jointStateBytes(state(i * kMs, i)));
      if (i % 10 == 9) file.endChunk();
    }
    const size_t begin = TestMcap(compression).unfinished().size();
    Blob bytes = file.finish(false);
    bytes[begin + 60] ^= 0xff;
    writeBytes(bag(), bytes);
    const ImportResult result = importBag({bag()}, log());
    EXPECT_EQ(result.rows, 20);
    EXPECT_THAT(result.losses,
                ElementsAre(HasSubstr(": the chunk at byte "),
                            "of 30 messages that were recorded, 10 are lost"));
  }
}

TEST_F(ImportBag, ADamagedFirstChunkOfARos1Bag) {
  for (const char* compression : {"bz2", "none"}) {
    TestRos1Bag file(compression);
    file.connection(4, "/js", "sensor_msgs/JointState");
    for (int i = 0; i < 30; ++i) {
      file.message(4, i * kMs, jointStateBytes(state(i * kMs, i), false, true));
      if (i % 10 == 9) file.endChunk();
    }
    Blob bytes = file.finished();
    // Without compression a connection with another type of record is passed over.
    const std::string_view damaged = compression == std::string("bz2") ? "BZh" : "op=\x07";
    const auto at = std::search(bytes.begin(), bytes.end(), damaged.begin(), damaged.end());
    *(at + static_cast<std::ptrdiff_t>(damaged.size()) - 1) ^= 0x55;
    writeBytes(bag(), bytes);
    const ImportResult result = importBag({bag()}, log());
    EXPECT_EQ(result.rows, compression == std::string("bz2") ? 20 : 30);
    EXPECT_EQ(result.losses.size(), compression == std::string("bz2") ? 1U : 0U);
  }
}

TEST_F(ImportBag, MessagesThatAreNoJointStates) {
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 3; ++i) file.message(1, 0, Blob(7, 1));
  EXPECT_THAT(complaint<InputError>(file),
              HasSubstr("none of its 3 messages is a sensor_msgs/JointState"));
}

// Joints are matched by name: there are 720 orders of six.
TEST_F(ImportBag, EveryMessageInAnotherOrderOfTheJoints) {
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
  std::vector<size_t> order = {0, 1, 2, 3, 4, 5};
  std::mt19937 random(1);
  TestMcap file;
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 600; ++i) {
    TestJointState message{10 * i * kMs, {}, {}, {}, {}};
    for (const size_t j : order) {
      const auto number = static_cast<double>(j);
      message.names.push_back(names[j]);
      message.position.push_back(i + number);
      if (i % 2 == 0) message.velocity.push_back(2 * i + number);
      message.effort.push_back(3 * i + number);
    }
    file.message(1, 10 * i * kMs, jointStateBytes(message));
    std::shuffle(order.begin(), order.end(), random);
  }
  const ImportResult result = import(file);
  EXPECT_THAT(result.losses, IsEmpty());
  ASSERT_EQ(result.rows, 600);
  EXPECT_EQ(result.joint_names, names);
  const RawBlock block = imported();
  for (int i = 0; i < 600; ++i)
    for (int j = 0; j < 6; ++j) {
      EXPECT_EQ(block.position(i, j), i + j);
      EXPECT_EQ(block.effort(i, j), 3 * i + j);
      EXPECT_EQ(std::isnan(block.velocity(i, j)), i % 2 == 1);
      if (i % 2 == 0) EXPECT_EQ(block.velocity(i, j), 2 * i + j);
    }
  EXPECT_EQ(surveyBags({bag()}, {}).topics.front().layouts.size(), 2U);
}

}  // namespace
}  // namespace dynid
