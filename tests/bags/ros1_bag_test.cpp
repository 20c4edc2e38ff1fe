#include "dynid/bags/ros1_bag.h"

#include <gmock/gmock.h>

#include "support/bag_writers.h"
#include "support/collected_messages.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct ReadRos1 {
  CollectedMessages sink;
  std::vector<DamagedBlock> damaged;
  std::vector<std::string> losses;
};

ReadRos1 readRos1(const Blob& bytes, const std::vector<DamagedBlock>& leave_out = {}) {
  ReadRos1 read;
  BagScan scan(read.sink, leave_out);
  scan.beginFile(0, "x.bag", "");
  MemoryBytes memory(bytes);
  readRos1Bag(memory, scan);
  read.damaged = scan.damaged();
  read.losses = scan.losses();
  return read;
}

Blob ros1Example(const std::string& compression) {
  TestRos1Bag bag(compression);
  for (int chunk = 0; chunk < 3; ++chunk) {
    bag.connection(5, "/a", "pkg/A");
    for (int i = 0; i < 2; ++i) bag.message(5, 4'000'000'000 + 10 * chunk + i, Blob(300, 9));
    bag.endChunk();
  }
  return bag.bytes();
}

TEST(Ros1Bag, EveryCompressionGivesTheSameMessages) {
  for (const char* compression : {"none", "bz2", "lz4"}) {
    const ReadRos1 read = readRos1(ros1Example(compression));
    ASSERT_EQ(read.sink.messages.size(), 6U) << compression;
    EXPECT_EQ(read.sink.topics.front().name, "/a");
    EXPECT_EQ(read.sink.topics.front().encoding, "ros1");
    EXPECT_EQ(read.sink.messages[3].log_time, 4'000'000'011);
    EXPECT_EQ(read.sink.messages[3].data, Blob(300, 9));
    EXPECT_THAT(read.losses, IsEmpty());
  }
}

TEST(Ros1Bag, CutAtEveryByte) {
  for (const char* compression : {"none", "bz2", "lz4"}) {
    const Blob whole = ros1Example(compression);
    for (size_t size = 13; size<whole.size(); size += size> 20 && size < 4000 ? 100 : 1) {
      const Blob cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
      ReadRos1 read = readRos1(cut);
      if (!read.damaged.empty()) read.sink = readRos1(cut, read.damaged).sink;
      ASSERT_EQ(read.sink.messages.size() % 2, 0U) << compression << " " << size;
      ASSERT_LT(read.sink.messages.size(), 6U);
    }
  }
}

TEST(Ros1Bag, EveryByteChangedIsNoCrash) {
  const Blob whole = ros1Example("lz4");
  for (size_t at = 13; at < whole.size(); ++at) {
    if (at > 40 && at < 4000) continue;  // padding of the bag's header
    Blob damaged = whole;
    damaged[at] ^= 0x80;
    try {
      readRos1(damaged);
    } catch (const DamagedBytes&) {
    }
  }
}

TEST(Ros1Bag, EncryptedAndForeignFiles) {
  EXPECT_THROW(readRos1(Blob(50, 'x')), DamagedBytes);
  Blob bytes = TestRos1Bag().bytes();
  const std::string field = "encryptor=rosbag/AesCbcEncryptor";
  Blob header = {'#', 'R', 'O', 'S', 'B', 'A', 'G', ' ', 'V', '2', '.', '0', '\n'};
  put(header, static_cast<std::uint32_t>(4 + 4 + 4 + field.size()));
  put(header, std::uint32_t{4});
  append(header, {'o', 'p', '=', 3});
  putText(header, field);
  put(header, std::uint32_t{0});
  try {
    readRos1(header);
    ADD_FAILURE();
  } catch (const DamagedBytes& damage) {
    EXPECT_THAT(damage.what(), HasSubstr("encrypted"));
  }
}

}  // namespace
}  // namespace dynid
