#include "dynid/bags/mcap.h"

#include <gmock/gmock.h>

#include "support/bag_writers.h"
#include "support/collected_messages.h"

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Read {
  CollectedMessages sink;
  std::vector<DamagedBlock> damaged;
  std::vector<std::string> losses, wrong_checksums, remarks;
  TopicIndex index;
};

Read readBytes(const Blob& bytes,
               const std::vector<DamagedBlock>& leave_out = {},
               const TopicIndex& index = {}) {
  Read read;
  BagScan scan(read.sink, leave_out, index);
  scan.beginFile(0, "x.mcap", "");
  MemoryBytes memory(bytes);
  readMcap(memory, scan);
  read.damaged = scan.damaged();
  read.losses = scan.losses();
  read.wrong_checksums = scan.wrongChecksums();
  read.remarks = scan.remarks();
  read.index = scan.index();
  return read;
}

/// Three chunks of two messages, or six messages without chunks.
TestMcap example(const std::string& compression, bool chunks = true) {
  TestMcap file(compression, chunks);
  for (int chunk = 0; chunk < 3; ++chunk) {
    file.channel(1, "/a", "pkg/msg/A");
    for (int i = 0; i < 2; ++i)
      file.message(1, 10 * chunk + i, Blob(1000, static_cast<std::uint8_t>(chunk)));
    file.endChunk();
  }
  return file;
}

TEST(Mcap, EveryCompressionGivesTheSameMessages) {
  for (const char* compression : {"", "lz4", "zstd"}) {
    const Read read = readBytes(example(compression).finish());
    ASSERT_EQ(read.sink.messages.size(), 6U) << compression;
    EXPECT_EQ(read.sink.topics.front().type, "pkg/A");
    EXPECT_EQ(read.sink.messages[3].log_time, 11);
    EXPECT_EQ(read.sink.messages[3].data, Blob(1000, 1));
    EXPECT_THAT(read.losses, IsEmpty());
    EXPECT_THAT(read.wrong_checksums, IsEmpty());
    EXPECT_THAT(read.remarks, IsEmpty());
  }
  EXPECT_EQ(readBytes(example("", false).finish()).sink.messages.size(), 6U);
}

TEST(Mcap, AChunkWithAWrongChecksumIsFoundAndLeftOut) {
  TestMcap file("zstd");
  file.channel(1, "/a", "pkg/A");
  file.message(1, 1, {1});
  file.endChunk();
  file.message(1, 2, {2});
  file.endChunk(0, true);
  file.message(1, 3, {3});
  const Blob bytes = file.finish();
  const Read first = readBytes(bytes);
  ASSERT_EQ(first.damaged.size(), 1U);
  EXPECT_EQ(first.damaged.front().messages, 1);
  EXPECT_THAT(
      first.losses,
      ElementsAre(HasSubstr("is left out: its checksum is wrong; 1 messages could be seen in it")));
  const Read second = readBytes(bytes, first.damaged);
  ASSERT_EQ(second.sink.messages.size(), 2U);
  EXPECT_EQ(second.sink.messages[1].log_time, 3);
}

// The first chunk names the type of both topics; a later one refers to it.
TEST(Mcap, TheSummaryNamesTheTopicsOfADamagedChunk) {
  TestMcap file;
  file.channel(1, "/a", "pkg/A");
  file.message(1, 1, {1});
  file.endChunk(0, true);
  file.message(1, 2, {2});
  file.channel(2, "/b", "pkg/A", "cdr", 1);
  file.message(2, 3, {3});
  const Blob bytes = file.finish();
  const Read first = readBytes(bytes);
  const Read second = readBytes(bytes, first.damaged, first.index);
  ASSERT_EQ(second.sink.messages.size(), 2U);
  EXPECT_THAT(second.losses, ElementsAre(HasSubstr("its checksum is wrong")));
  ASSERT_EQ(second.sink.topics.size(), 2U);
  EXPECT_EQ(second.sink.topics[0].name, "/a");
  EXPECT_EQ(second.sink.topics[1].name, "/b");
  for (const BagTopic& topic : second.sink.topics) EXPECT_EQ(topic.type, "pkg/A");
}

TEST(Mcap, AWrongChecksumOfTheWholeIsReported) {
  EXPECT_THAT(readBytes(example("", false).finish(true, true)).wrong_checksums,
              ElementsAre(HasSubstr("x.mcap: the checksum over all records is wrong")));
}

// Wherever the file is truncated, the messages read are the first ones, complete chunks only, and
// the loss is reported.
TEST(Mcap, CutAtEveryByte) {
  for (const char* compression : {"", "lz4", "zstd"}) {
    const Blob whole = example(compression).finish();
    const size_t data_end = example(compression).unfinished().size();
    for (size_t size = 8; size < whole.size(); ++size) {
      Read read = readBytes(Blob(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
      if (!read.damaged.empty())
        read.sink =
            readBytes(Blob(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)),
                      read.damaged)
                .sink;
      ASSERT_EQ(read.sink.messages.size() % 2, 0U) << compression << " " << size;
      for (size_t i = 0; i < read.sink.messages.size(); ++i)
        ASSERT_EQ(read.sink.messages[i].log_time, static_cast<std::int64_t>(10 * (i / 2) + i % 2));
      const bool complete = size >= data_end + 9 + 4;
      EXPECT_EQ(read.sink.messages.size() == 6, size >= data_end) << size;
      EXPECT_EQ(read.losses.empty(), complete) << compression << " " << size;
    }
  }
}

TEST(Mcap, EveryByteChangedIsNeitherACrashNorAnInventedMessage) {
  const Blob whole = example("zstd").finish();
  const Read good = readBytes(whole);
  for (size_t at = 8; at < whole.size(); ++at) {
    Blob damaged = whole;
    damaged[at] ^= 0x41;
    Read read;
    try {
      read = readBytes(damaged);
      if (!read.damaged.empty()) read.sink = readBytes(damaged, read.damaged).sink;
    } catch (const DamagedBytes&) {
      continue;
    }
    for (const CollectedMessages::Message& message : read.sink.messages)
      EXPECT_TRUE(std::find(good.sink.messages.begin(), good.sink.messages.end(), message) !=
                  good.sink.messages.end())
          << at;
  }
}

TEST(Mcap, HugeLengths) {
  Blob bytes = example("").unfinished();
  bytes.push_back(0x05);
  put(bytes, std::uint64_t{1} << 60);
  const Read read = readBytes(bytes);
  EXPECT_EQ(read.sink.messages.size(), 6U);
  EXPECT_THAT(
      read.losses,
      ElementsAre(HasSubstr("says that it has 1152921504606846976 bytes, more than there are")));
}

TEST(Mcap, AChunkThatAnnouncesAnotherSize) {
  for (const std::uint64_t size :
       {std::uint64_t{20}, std::uint64_t{5000}, std::uint64_t{1} << 60}) {
    TestMcap file("zstd");
    file.channel(1, "/a", "pkg/A");
    file.message(1, 1, Blob(1000, 0));
    file.endChunk(size);
    const Read read = readBytes(file.finish());
    EXPECT_EQ(read.damaged.size(), 1U) << size;
  }
}

TEST(Mcap, ABombIsLeftOutWithoutTakingMemory) {
  // A chunk of 64 MiB of zeros, which are not valid records, compressed to a few kilobytes.
  const Blob stored = compress(Blob(size_t{64} << 20, 0), "zstd");
  ASSERT_LT(stored.size(), 10000U);
  Blob chunk(16, 0), file = TestMcap().unfinished();
  put(chunk, std::uint64_t{64} << 20);
  put(chunk, std::uint32_t{0});
  putText(chunk, "zstd");
  put(chunk, std::uint64_t{stored.size()});
  append(chunk, stored);
  TestMcap::record(file, 0x06, chunk);
  EXPECT_THAT(readBytes(file).losses.front(), HasSubstr("there is no record"));
}

TEST(Mcap, MessagesOfUnknownChannelsAreCounted) {
  TestMcap file;
  file.channel(1, "/a", "pkg/A");
  file.message(2, 1, {1});
  EXPECT_THAT(readBytes(file.finish()).losses, ElementsAre(HasSubstr("belongs to no channel")));
}

TEST(Mcap, NoMcapAtAll) {
  EXPECT_THROW(readBytes(Blob(100, 'x')), DamagedBytes);
  EXPECT_THROW(readBytes({}), DamagedBytes);
}

}  // namespace
}  // namespace dynid
