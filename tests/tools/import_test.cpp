#include <gmock/gmock.h>

#include "support/bag_writers.h"
#include "tools/child_process.h"
#include <fstream>
#include <nlohmann/json.hpp>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t kMs = 1'000'000;

class ImportCommand : public ::testing::Test {
 protected:
  void writeBag(const std::string& name, std::uint16_t topics, int begin_ms = 0) const {
    TestMcap file("zstd");
    for (std::uint16_t topic = 1; topic <= topics; ++topic)
      file.channel(
          topic, topic == 1 ? "/joint_states" : "/joint_cmd", "sensor_msgs/msg/JointState");
    for (int i = 0; i < 50; ++i)
      for (std::uint16_t topic = 1; topic <= topics; ++topic)
        file.message(
            topic,
            (begin_ms + 10 * i) * kMs,
            jointStateBytes(
                {(begin_ms + 10 * i) * kMs, {"pan", "lift"}, {0.1 * i, 1.0}, {}, {2.0, 3.0}}));
    writeBytes(directory_ / name, file.finish());
  }
  TemporaryDirectory directory_;
};

TEST_F(ImportCommand, ListsAndImportsABag) {
  writeBag("first run.mcap", 1);
  const std::string bag = directory_ / "first run.mcap";
  const Outcome list = dynid({"import", "--list", bag});
  EXPECT_EQ(list.status, 0) << list.err;
  EXPECT_THAT(list.out,
              HasSubstr("/joint_states  sensor_msgs/JointState  50        100      0.490"));
  EXPECT_THAT(list.out, HasSubstr("50 x pan, lift: position, effort"));
  EXPECT_THAT(list.out, HasSubstr("next: dynid import '" + bag + "' --output log.h5"));
  const nlohmann::json json = nlohmann::json::parse(dynid({"import", "--list", bag, "--json"}).out);
  EXPECT_EQ(json["topics"][0]["joints"]["pan"]["position"]["max"], 0.1 * 49);
  const Outcome import = dynid({"import", bag});
  EXPECT_EQ(import.status, 0) << import.err;
  EXPECT_THAT(
      import.out,
      HasSubstr("first run.h5: 50 rows of 2 joints (pan, lift), channels: position, effort"));
  EXPECT_THAT(import.out, HasSubstr("/joint_states effort"));
  EXPECT_THAT(import.out, HasSubstr("next: dynid inspect '" + directory_ / "first run.h5'"));
  EXPECT_THAT(directory_.files(),
              ::testing::UnorderedElementsAre("first run.mcap", "first run.h5"));
  // The log can be read; half a second of it is too little to identify from, which inspect says.
  EXPECT_EQ(dynid({"inspect", directory_ / "first run.h5"}).status, 1);
}

TEST_F(ImportCommand, SeveralTopicsAreAQuestion) {
  writeBag("run.mcap", 2);
  const Outcome outcome =
      dynid({"import", directory_ / "run.mcap", "--output", directory_ / "log.h5"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("several topics hold joint states: /joint_states"));
  EXPECT_THAT(outcome.err, HasSubstr("choose with --topic NAME"));
  EXPECT_THAT(directory_.files(), ElementsAre("run.mcap"));
  EXPECT_EQ(dynid({"import", directory_ / "run.mcap", "--topic", "/joint_cmd"}).status, 0);
}

TEST_F(ImportCommand, SplitFilesBecomeOneLog) {
  writeBag("a_0.mcap", 1);
  writeBag("a_1.mcap", 1, 500);
  const Outcome outcome = dynid({"import",
                                 directory_ / "a_0.mcap",
                                 directory_ / "a_1.mcap",
                                 "--output",
                                 directory_ / "log.h5",
                                 "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["rows"], 100);
}

TEST_F(ImportCommand, AMappingChangesWhatARecordingHolds) {
  writeBag("run.mcap", 1);
  std::ofstream(directory_ / "map.toml") << "[current]\nsign = -1\n";
  const std::vector<std::string> import = {"import",
                                           directory_ / "run.mcap",
                                           "--mapping",
                                           directory_ / "map.toml",
                                           "--output",
                                           directory_ / "log.h5"};
  const Outcome outcome = dynid(import);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("channels: position, current"));
  EXPECT_THAT(outcome.out, HasSubstr("current multiplied by -1 (mapping file): all joints"));
  std::ofstream(directory_ / "map.toml") << "[effort]\ncolumns = 3\n";
  EXPECT_THAT(dynid(import).err, HasSubstr("map.toml:2: the messages of a ROS recording have no"));
}

TEST_F(ImportCommand, OptionsThatDoNotFitTheFile) {
  writeBag("run.mcap", 1);
  writeBytes(directory_ / "log.csv", {'t', ',', 'q', '0', '\n', '0', ',', '1', '\n'});
  EXPECT_THAT(dynid({"import", directory_ / "log.csv", "--topic", "/a"}).err,
              HasSubstr("--topic: is for ROS recordings"));
  EXPECT_THAT(dynid({"import", directory_ / "run.mcap", "--rate", "100"}).err,
              HasSubstr("--rate: is for CSV files"));
  EXPECT_THAT(dynid({"import", directory_ / "log.csv", "--rate", "100"}).err,
              HasSubstr("--rate is for tables without times, but "));
  EXPECT_THAT(dynid({"import", directory_ / "run.mcap", "--wrench", "/ft"}).err,
              HasSubstr("--wrench: \"/ft\" is not TOPIC=LINK, as in /wrench=tool0"));
  EXPECT_THAT(dynid({"import", directory_ / "run.mcap", "--wrench", "/ft=."}).err,
              HasSubstr("--wrench: \"/ft=.\": a link cannot be named \".\" in a log"));
  EXPECT_THAT(dynid({"import", directory_ / "run.mcap", "--joints", "a,,b"}).err,
              HasSubstr("--joints: \"a,,b\" has an empty name"));
}

TEST_F(ImportCommand, ATableWithoutTimesNeedsOnlyItsRate) {
  std::ofstream(directory_ / "log.csv") << "a_position,a_effort\n1,2\n2,3\n";
  EXPECT_THAT(dynid({"import", directory_ / "log.csv"}).err,
              HasSubstr("give the rows per second (--rate), or name the column"));
  const Outcome outcome = dynid({"import", directory_ / "log.csv", "--rate", "100"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("log.h5: 2 rows"));
}

TEST_F(ImportCommand, ATruncatedBagGivesItsCompletePart) {
  TestMcap file("zstd");
  file.channel(1, "/js", "sensor_msgs/JointState");
  for (int i = 0; i < 40; ++i) {
    file.message(1, i, jointStateBytes({i * kMs, {"a"}, {1.0 * i}, {}, {1.0}}));
    if (i % 10 == 9) file.endChunk();
  }
  Blob bytes = file.unfinished();
  bytes.resize(bytes.size() - 5);
  writeBytes(directory_ / "cut.mcap", bytes);
  const Outcome outcome = dynid({"import", directory_ / "cut.mcap"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("cut.h5: 30 rows"));
  EXPECT_THAT(outcome.out, HasSubstr("lost: "));
  EXPECT_THAT(outcome.out, HasSubstr("the file stops inside it"));
}

TEST_F(ImportCommand, ListsWithoutAChoiceThatImportMakesItself) {
  TestMcap file;
  file.channel(1, "/joint_states", "sensor_msgs/msg/JointState");
  file.channel(2, "/dynamic_joint_states", "control_msgs/msg/DynamicJointState");
  for (int i = 0; i < 50; ++i) {
    file.message(1, 10 * i * kMs, jointStateBytes({10 * i * kMs, {"a"}, {0.1 * i}, {}, {}}));
    file.message(2, 10 * i * kMs, dynamicStateBytes({10 * i * kMs, {"a"}, {0.1 * i}, {}, {2.0}}));
  }
  writeBytes(directory_ / "run.mcap", file.finish());
  const std::string bag = directory_ / "run.mcap";
  EXPECT_THAT(dynid({"import", "--list", bag}).out,
              HasSubstr("next: dynid import " + bag + " --output log.h5"));
  EXPECT_THAT(dynid({"import", bag}).out,
              HasSubstr("taken from /dynamic_joint_states, which has them"));
}

TEST_F(ImportCommand, TheFolderInWhichTheProgramRuns) {
  std::filesystem::create_directories(directory_ / "bag/inner");
  writeBag("bag/run.mcap", 1);
  for (const auto& [input, directory] : {std::pair("bag/", ""),
                                         std::pair(".", "bag"),
                                         std::pair("./", "bag"),
                                         std::pair("..", "bag/inner"),
                                         std::pair("inner/..", "bag")}) {
    SCOPED_TRACE(input);
    RunOptions options;
    options.directory = directory_ / directory;
    const Outcome outcome = dynid({"import", input, "--quiet"}, options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(directory_.files(), ::testing::UnorderedElementsAre("bag", "bag.h5"));
    std::filesystem::remove(directory_ / "bag.h5");
  }
}

}  // namespace
}  // namespace dynid
