#include "dynid/bags/ros_messages.h"

#include <gmock/gmock.h>

#include "support/bag_writers.h"
#include <cmath>
#include <limits>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Blob fromHex(const std::string& hex) {
  Blob bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

// Written by another implementation of CDR.
const char* const kGolden =
    "0001000000f1536515cd5b0705000000626173650000000002000000030000006a310000080000006a6f696e745f32"
    "0002000000000000000000f83f00000000000000c00000000002000000000000000000d03f0000000000001040";

void expectGolden(const JointStateMessage& message) {
  EXPECT_EQ(message.header.stamp, 1700000000123456789);
  EXPECT_EQ(message.header.frame, "base");
  EXPECT_THAT(message.names, ElementsAre("j1", "joint_2"));
  EXPECT_THAT(message.position, ElementsAre(1.5, -2.0));
  EXPECT_TRUE(message.velocity.empty());
  EXPECT_THAT(message.effort, ElementsAre(0.25, 4.0));
}

const TestJointState kState{1700000000123456789, {"j1", "joint_2"}, {1.5, -2.0}, {}, {0.25, 4.0}};

TEST(RosMessages, GoldenJointState) {
  JointStateMessage message;
  const Blob golden = fromHex(kGolden);
  readJointState("cdr", golden, message);
  expectGolden(message);
  EXPECT_EQ(jointStateBytes(kState), golden) << "the tests' own writer";
}

TEST(RosMessages, BothByteOrdersAndRos1) {
  JointStateMessage message;
  const Blob big = jointStateBytes(kState, true);
  readJointState("cdr", big, message);
  expectGolden(message);
  const Blob ros1 = jointStateBytes(kState, false, true);
  readJointState("ros1", ros1, message);
  expectGolden(message);
}

TEST(RosMessages, CdrOfVersion2AlignsDoublesToFour) {
  // Names "abc" end at 24 + 4: the doubles then start at a multiple of 4 that is not a multiple of
  // 8.
  Blob bytes = {0, 7, 0, 0};
  for (const std::uint32_t number : {1U, 2U, 1U}) put(bytes, number);
  append(bytes, {0, 0, 0, 0});   // empty frame with its NUL, padded
  put(bytes, std::uint32_t{1});  // names
  put(bytes, std::uint32_t{2});
  append(bytes, {'a', 0, 0, 0});
  put(bytes, std::uint32_t{1});
  put(bytes, 3.5);
  put(bytes, std::uint32_t{0});
  put(bytes, std::uint32_t{0});
  JointStateMessage message;
  readJointState("cdr", bytes, message);
  EXPECT_THAT(message.position, ElementsAre(3.5));
}

TEST(RosMessages, CutAtEveryByteIsDamage) {
  JointStateMessage message;
  for (const auto& [encoding, bytes] : {std::pair("cdr", jointStateBytes(kState)),
                                        std::pair("cdr", jointStateBytes(kState, true)),
                                        std::pair("ros1", jointStateBytes(kState, false, true))})
    for (size_t size = 0; size < bytes.size(); ++size)
      EXPECT_THROW(readJointState(encoding, Bytes(bytes).first(size), message), DamagedBytes)
          << size;
}

TEST(RosMessages, LengthsAreCheckedBeforeMemoryIsTaken) {
  JointStateMessage message;
  Blob bytes = jointStateBytes(kState);
  for (size_t at = 4; at + 4 <= bytes.size(); at += 4) {
    Blob damaged = bytes;
    std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(at), 4, std::uint8_t{0xff});
    try {
      readJointState("cdr", damaged, message);
    } catch (const DamagedBytes&) {
    }
    EXPECT_LT(message.names.capacity() + message.position.capacity(), 100U);
  }
}

TEST(RosMessages, OtherTypesAreNotTakenForIt) {
  JointStateMessage message;
  const auto complaint = [&](const std::string& encoding, const Blob& bytes) {
    try {
      readJointState(encoding, bytes, message);
    } catch (const DamagedBytes& damage) {
      return std::string(damage.what());
    }
    return std::string("(read)");
  };
  EXPECT_EQ(complaint("json", {'{', '}'}),
            "the encoding 'json' is not known; known are cdr and ros1");
  EXPECT_EQ(complaint("cdr", {0, 2, 0, 0, 0}), "CDR of the kind 0x0002 is not known");
  Blob longer = jointStateBytes(kState);
  append(longer, Blob(16, 0));
  EXPECT_EQ(complaint("cdr", longer), "(read)") << "zeros are padding";
  longer.back() = 1;
  EXPECT_EQ(complaint("cdr", longer), "has 16 bytes too many for its type");
}

TEST(RosMessages, NanAndInfinityPass) {
  TestJointState state = kState;
  state.position = {std::numeric_limits<double>::quiet_NaN(),
                    std::numeric_limits<double>::infinity()};
  JointStateMessage message;
  const Blob bytes = jointStateBytes(state, true);
  readJointState("cdr", bytes, message);
  EXPECT_TRUE(std::isnan(message.position[0]));
  EXPECT_TRUE(std::isinf(message.position[1]));
}

TEST(RosMessages, WrenchAndImu) {
  for (const bool ros1 : {false, true}) {
    WrenchMessage wrench;
    const Blob wrench_bytes = wrenchBytes(5, {1, 2, 3, 4, 5, 6}, ros1);
    readWrench(ros1 ? "ros1" : "cdr", wrench_bytes, wrench);
    EXPECT_THAT(wrench.wrench, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_EQ(wrench.header.frame, "sensor");
    ImuMessage imu;
    const Blob imu_bytes = imuBytes(6, {1, 2, 3, 4, 5, 6}, ros1);
    readImu(ros1 ? "ros1" : "cdr", imu_bytes, imu);
    EXPECT_THAT(imu.angular_velocity, ElementsAre(1, 2, 3));
    EXPECT_THAT(imu.linear_acceleration, ElementsAre(4, 5, 6));
    EXPECT_EQ(imu.header.stamp, 6);
  }
}

TEST(RosMessages, DynamicJointState) {
  MessageBytes bytes;
  bytes.header(7, "").number(std::uint32_t{2}).text("a").text("b").number(std::uint32_t{2});
  bytes.number(std::uint32_t{2}).text("effort").text("position").numbers({3.0, 1.0});
  bytes.number(std::uint32_t{2}).text("position").text("temperature").numbers({2.0, 50.0});
  JointStateMessage message;
  readDynamicJointState("cdr", bytes.bytes(), message);
  EXPECT_THAT(message.names, ElementsAre("a", "b"));
  EXPECT_THAT(message.position, ElementsAre(1.0, 2.0));
  EXPECT_TRUE(message.velocity.empty());
  EXPECT_EQ(message.effort[0], 3.0);
  EXPECT_TRUE(std::isnan(message.effort[1]));
}

// The state of a robot holds its digital outputs and force sensors beside its joints.
TEST(RosMessages, NamesWithoutAnyChannelOfAJointAreLeftOut) {
  MessageBytes bytes;
  bytes.header(7, "").number(std::uint32_t{4}).text("gpio").text("a").text("sensor").text("b");
  bytes.number(std::uint32_t{4});
  bytes.number(std::uint32_t{1}).text("digital_output_0").numbers({1.0});
  bytes.number(std::uint32_t{2}).text("effort").text("position").numbers({3.0, 1.0});
  bytes.number(std::uint32_t{1}).text("force.x").numbers({9.0});
  bytes.number(std::uint32_t{1}).text("position").numbers({2.0});
  JointStateMessage message;
  readDynamicJointState("cdr", bytes.bytes(), message);
  EXPECT_THAT(message.names, ElementsAre("a", "b"));
  EXPECT_THAT(message.position, ElementsAre(1.0, 2.0));
  EXPECT_TRUE(message.velocity.empty());
  ASSERT_EQ(message.effort.size(), 2U);
  EXPECT_EQ(message.effort[0], 3.0);
  EXPECT_TRUE(std::isnan(message.effort[1]));
}

}  // namespace
}  // namespace dynid
