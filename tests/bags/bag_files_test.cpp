#include "dynid/bags/bag_files.h"

#include "dynid/core/errors.h"

#include <gmock/gmock.h>

#include "logs/test_files.h"
#include "support/bag_writers.h"
#include "support/collected_messages.h"

namespace dynid {
namespace {

using ::testing::HasSubstr;

class BagFiles : public ::testing::Test {
 protected:
  Blob mcap(std::int64_t time) const {
    TestMcap file;
    file.channel(1, "/a", "pkg/A");
    file.message(1, time, {1, 2});
    return file.finish();
  }
  void database(const std::string& name, std::int64_t time) const {
    TestDatabase file(directory_.file(name));
    file.topic(3, "/a", "pkg/msg/A");
    file.message(3, time, {1, 2});
  }
  std::vector<std::int64_t> times(const std::vector<std::filesystem::path>& paths) const {
    CollectedMessages sink;
    BagScan scan(sink);
    scanRecording(findRecording(paths), scan, {}, "");
    std::vector<std::int64_t> times;
    for (const auto& message : sink.messages) times.push_back(message.log_time);
    EXPECT_EQ(sink.topics.size(), 1U);
    return times;
  }
  std::string complaint() const {
    return messageOf<InputError>([&] { findRecording({directory_.path()}); });
  }
  TestDirectory directory_;
};

TEST_F(BagFiles, KindsAreRecognisedByContent) {
  writeBytes(directory_.file("one"), mcap(1));
  writeBytes(directory_.file("two"), compress(mcap(1), "zstd"));
  writeBytes(directory_.file("three"), TestRos1Bag().bytes());
  database("four", 1);
  writeText(directory_.file("five"), "t,q0\n");
  EXPECT_EQ(recogniseBag(directory_.file("one"))->kind, BagKind::kMcap);
  EXPECT_TRUE(recogniseBag(directory_.file("two"))->zstd);
  EXPECT_EQ(recogniseBag(directory_.file("three"))->kind, BagKind::kRos1);
  EXPECT_EQ(recogniseBag(directory_.file("four"))->kind, BagKind::kSqlite);
  EXPECT_FALSE(recogniseBag(directory_.file("five")));
}

TEST_F(BagFiles, DamagedBeginnings) {
  writeText(directory_.file("empty.mcap"), "");
  EXPECT_THAT(messageOf<InputError>([&] { recogniseBag(directory_.file("empty.mcap")); }),
              HasSubstr("empty.mcap: starts neither as MCAP, SQLite (rosbag2) nor ROS 1 bag"));
  writeText(directory_.file("old.bag"), "#ROSBAG V1.2\n");
  EXPECT_THAT(messageOf<InputError>([&] { recogniseBag(directory_.file("old.bag")); }),
              HasSubstr("old version (#ROSBAG V1.2); convert it with `rosbag fix`"));
  Blob cut = compress(mcap(1), "zstd");
  cut.resize(7);
  writeBytes(directory_.file("cut"), cut);
  EXPECT_THAT(messageOf<InputError>([&] { recogniseBag(directory_.file("cut")); }),
              HasSubstr("zstd data ends too early"));
  EXPECT_THAT(messageOf<InputError>([&] { recogniseBag(directory_.file("none")); }),
              HasSubstr("No such file"));
  EXPECT_THAT(messageOf<InputError>([] { recogniseBag("/proc/self/mem"); }),
              HasSubstr("/proc/self/mem: cannot be read on: Input/output error"));
}

TEST_F(BagFiles, TheSameFileTwiceIsRefused) {
  database("a.db3", 1);
  database("b.db3", 2);
  std::filesystem::create_symlink("a.db3", directory_.file("c.db3"));
  EXPECT_EQ(findRecording({directory_.file("a.db3"), directory_.file("b.db3")}).files.size(), 2U);
  EXPECT_THAT(messageOf<InputError>([&] {
                findRecording({directory_.file("a.db3"), directory_.file("c.db3")});
              }),
              HasSubstr("c.db3: is given twice; give it once"));
  writeText(directory_.file("metadata.yaml"), "relative_file_paths:\n- a.db3\n- a.db3\n");
  EXPECT_THAT(complaint(), HasSubstr("a.db3: is given twice"));
}

TEST_F(BagFiles, SplitFilesInTheOrderOfTheMetadata) {
  database("b.db3", 1);
  database("a.db3", 2);
  writeText(
      directory_.file("metadata.yaml"),
      "rosbag2_bagfile_information:\n  message_count: 2\n  relative_file_paths:\n    - \"b.db3\"\n"
      "    - a.db3\n  topics_with_message_count:\n    - message_count: 9\n");
  EXPECT_THAT(times({directory_.path()}), ::testing::ElementsAre(1, 2));
  EXPECT_EQ(findRecording({directory_.path()}).announced, 2);
}

TEST_F(BagFiles, WithoutMetadataInTheOrderOfTheNumbers) {
  for (int i = 0; i < 12; ++i)
    writeBytes(directory_.file("run_" + std::to_string(i) + ".mcap"), mcap(i));
  const std::vector<std::int64_t> found = times({directory_.path()});
  EXPECT_EQ(found.size(), 12U);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
}

TEST_F(BagFiles, WholeFilesCompressed) {
  writeBytes(directory_.file("a.mcap.zstd"), compress(mcap(7), "zstd"));
  EXPECT_THAT(times({directory_.file("a.mcap.zstd")}), ::testing::ElementsAre(7));
  database("plain.db3", 8);
  std::ifstream in(directory_.file("plain.db3"), std::ios::binary);
  const Blob plain((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  writeBytes(directory_.file("b.db3.zstd"), compress(plain, "zstd"));
  EXPECT_THAT(times({directory_.file("b.db3.zstd")}), ::testing::ElementsAre(8));
  // metadata.yaml of rosbag2 lists the file with or without its extension.
  std::filesystem::remove(directory_.file("plain.db3"));
  std::filesystem::remove(directory_.file("a.mcap.zstd"));
  writeText(directory_.file("metadata.yaml"), "relative_file_paths:\n- b.db3\n");
  EXPECT_THAT(times({directory_.path()}), ::testing::ElementsAre(8));
}

TEST_F(BagFiles, MetadataThatLeavesItsFolder) {
  for (const char* path : {"../secret.db3", "/etc/passwd", "a/../../b"}) {
    writeText(directory_.file("metadata.yaml"),
              std::string("relative_file_paths:\n  - ") + path + "\n");
    EXPECT_THAT(complaint(), HasSubstr("which is not in this folder")) << path;
  }
}

TEST_F(BagFiles, FoldersWithoutRecordings) {
  EXPECT_THAT(complaint(), HasSubstr("holds no recording"));
  writeBytes(directory_.file("a.mcap"), mcap(1));
  writeText(directory_.file("metadata.yaml"), "relative_file_paths:\n- a.mcap\n- b.mcap\n");
  const BagRecording recording = findRecording({directory_.path()});
  EXPECT_EQ(recording.files.size(), 1U);
  EXPECT_THAT(recording.notes, ::testing::ElementsAre(HasSubstr("lists b.mcap, which is missing")));
}

TEST_F(BagFiles, FilesThatMetadataDoesNotListAreNamed) {
  for (const char* name : {"run_0.db3", "run_1.db3", "run_2.db3", "run_10.db3"}) database(name, 1);
  writeBytes(directory_.file("run_0.db3.zstd"), compress(mcap(1), "zstd"));
  writeText(directory_.file("notes.txt"), "of another kind");
  writeText(directory_.file("metadata.yaml"), "relative_file_paths:\n- run_0.db3\n- run_1.db3\n");
  const BagRecording recording = findRecording({directory_.path()});
  EXPECT_EQ(recording.files.size(), 2U);
  EXPECT_THAT(recording.notes,
              ::testing::ElementsAre(
                  directory_.file("metadata.yaml").string() +
                  ": does not list run_2.db3, run_10.db3 of its folder, which are left out; to "
                  "read them too, give the files themselves, or let `ros2 bag reindex` write "
                  "metadata.yaml anew"));
  writeText(directory_.file("metadata.yaml"),
            "relative_file_paths:\n- run_0.db3\n- run_1.db3\n- run_2.db3\n- run_10.db3\n");
  EXPECT_TRUE(findRecording({directory_.path()}).notes.empty());
}

}  // namespace
}  // namespace dynid
