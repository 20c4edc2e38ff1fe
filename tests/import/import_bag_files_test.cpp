// Recordings of several files.
#include "dynid/import/import_bag.h"

#include "import/imported_bag.h"
#include <cmath>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Parts of a recording at 100 Hz. Message i has the positions i and -i.
class ImportBagFiles : public ImportBag {
 protected:
  /// Writes the messages from `first` to before `end`. The clock of the stamps is behind that of
  /// the recording by `delay`.
  std::filesystem::path part(const std::string& name,
                             int first,
                             int end,
                             std::int64_t delay = 2 * kMs) const {
    TestMcap file;
    file.channel(1, "/js", "sensor_msgs/JointState");
    file.channel(2, "/tf_static", "tf2_msgs/TFMessage");
    // Recorders repeat such messages, with their first time, at the beginning of each file.
    file.message(2, 50'000 * kMs, {0, 1, 0, 0});
    for (int i = first; i < end; ++i) {
      const std::int64_t recorded = (100'000 + 10 * i) * kMs;
      file.message(1, recorded, jointStateBytes(state(recorded - delay, i)));
    }
    writeBytes(directory_.file(name), file.finish());
    return directory_.file(name);
  }
  void expectInOrder(const ImportResult& result, int messages) const {
    EXPECT_EQ(result.rows, messages);
    EXPECT_THAT(result.notes, Not(Contains(HasSubstr("clock"))));
    EXPECT_THAT(result.notes, Not(Contains(HasSubstr("put in order"))));
    const RawBlock block = imported();
    ASSERT_EQ(block.time.size(), messages);
    for (int i = 0; i < messages; ++i) {
      EXPECT_EQ(block.position(i, 0), i);
      EXPECT_NEAR(block.time[i], 99.998 + 0.01 * i, 1e-9);
    }
  }
  /// The message without the path of the directory.
  std::string shortened(std::string message) const {
    const std::string directory = directory_.path().string() + "/";
    for (size_t at = 0; (at = message.find(directory)) != std::string::npos;)
      message.erase(at, directory.size());
    return message;
  }
};

TEST_F(ImportBagFiles, TheOrderOfAShellIsNotThatOfTheRecording) {
  std::vector<std::filesystem::path> files;
  for (const int i : {0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9})
    files.push_back(part("run_" + std::to_string(i) + ".mcap", 200 * i, 200 * (i + 1)));
  const ImportResult result = importBag(files, log());
  expectInOrder(result, 2400);
  EXPECT_THAT(result.notes,
              Contains("the 12 files were not in the order of their recording: "
                       "they are read as run_0.mcap, run_1.mcap, run_2.mcap, run_3.mcap, "
                       "run_4.mcap, run_5.mcap, run_6.mcap, run_7.mcap, run_8.mcap, run_9.mcap, "
                       "run_10.mcap, run_11.mcap"));
}

TEST_F(ImportBagFiles, FilesInTheOrderOfTheirRecordingNeedNoNote) {
  const ImportResult result = importBag({part("b.mcap", 0, 300), part("a.mcap", 300, 600)}, log());
  expectInOrder(result, 600);
  EXPECT_THAT(result.notes, Not(Contains(HasSubstr("order"))));
}

TEST_F(ImportBagFiles, MetadataInReverseOrder) {
  part("run_0.mcap", 0, 300);
  part("run_1.mcap", 300, 600);
  part("run_2.mcap", 600, 900);
  writeText(directory_.file("metadata.yaml"),
            "relative_file_paths:\n- run_2.mcap\n- run_1.mcap\n- run_0.mcap\n");
  const ImportResult result = importBag({directory_.path()}, log());
  expectInOrder(result, 900);
  EXPECT_THAT(result.notes, Contains(HasSubstr("read as run_0.mcap, run_1.mcap, run_2.mcap")));
}

// Each file is damaged: it is read twice, and what was found before belongs to other files.
TEST_F(ImportBagFiles, DamagedFilesInAnotherOrder) {
  std::vector<std::filesystem::path> files;
  for (const int k : {1, 0}) {
    TestMcap file("zstd");
    file.channel(1, "/js", "sensor_msgs/JointState");
    for (int i = 100 * k; i < 100 * (k + 1); ++i) {
      const std::int64_t recorded = (100'000 + 10 * i) * kMs;
      file.message(1, recorded, jointStateBytes(state(recorded, i)));
      if (i % 10 == 9) file.endChunk(0, i == (k == 0 ? 39 : 179));
    }
    files.push_back(directory_.file("part_" + std::to_string(k) + ".mcap"));
    writeBytes(files.back(), file.finish());
  }
  const ImportResult result = importBag(files, log());
  ASSERT_EQ(result.rows, 180);
  EXPECT_EQ(result.losses.size(), 3U);
  const RawBlock block = imported();
  EXPECT_EQ(block.position(30, 0), 40);
  EXPECT_EQ(block.position(179, 0), 199);
}

TEST_F(ImportBagFiles, TwoRecordingsOfTheSameTimeAreRefused) {
  const std::filesystem::path a = part("a.mcap", 0, 1000), b = part("b.mcap", 500, 1500);
  const std::string message = messageOf<InputError>([&] { importBag({b, a}, log()); });
  EXPECT_EQ(shortened(message),
            "b.mcap: its messages of /js begin 4.990 s before those of a.mcap end: the files are "
            "not parts of one recording; import each by itself, or merge them into one file in "
            "the order of time");
  EXPECT_FALSE(std::filesystem::exists(log()));
}

TEST_F(ImportBagFiles, AClockThatIsRestartedBetweenTwoFiles) {
  const ImportResult result =
      importBag({part("b.mcap", 1000, 2000, 90'000 * kMs), part("a.mcap", 0, 1000)}, log());
  ASSERT_EQ(result.rows, 2000);
  EXPECT_THAT(result.notes, Contains(HasSubstr("the clock of /js is set back 1 times")));
  const RawBlock block = imported();
  EXPECT_EQ(block.position.col(0), Eigen::VectorXd::LinSpaced(2000, 0.0, 1999.0));
  EXPECT_NEAR(block.time[1000] - block.time[999], 5.0, 1e-9);
}

// More rows wait for the messages of the second file than are kept in memory.
TEST_F(ImportBagFiles, AFileOfEachTopic) {
  TestJointState motion;
  for (int j = 0; j < 90; ++j) motion.names.push_back(std::to_string(j));
  TestMcap joints, sensor;
  joints.channel(1, "/js", "sensor_msgs/JointState");
  sensor.channel(1, "/ft", "geometry_msgs/WrenchStamped");
  for (int i = 0; i < 9000; ++i) {
    motion.stamp = 10 * i * kMs;
    motion.position.assign(90, i);
    joints.message(1, 10 * i * kMs, jointStateBytes(motion));
    sensor.message(1, 10 * i * kMs, wrenchBytes(10 * i * kMs, {1.0 * i, 0, 0, 0, 0, 0}));
  }
  writeBytes(directory_.file("joints.mcap"), joints.finish());
  writeBytes(directory_.file("sensor.mcap"), sensor.finish());
  BagImportOptions options;
  options.wrenches = {{"/ft", "tool0"}};
  const ImportResult result =
      importBag({directory_.file("joints.mcap"), directory_.file("sensor.mcap")}, log(), options);
  EXPECT_EQ(result.rows, 9000);
  EXPECT_THAT(result.notes,
              Contains("808 rows have no message of /ft near them: NaN. The recording holds such "
                       "messages too far before or behind these rows: merge its files into one in "
                       "the order of time (`mcap merge`, `ros2 bag convert`)"));
}

// More samples of a sensor than rows are kept: its file may have to be the first.
TEST_F(ImportBagFiles, FilesOfDifferentTopicsKeepTheirOrder) {
  TestMcap sensor;
  sensor.channel(1, "/ft", "geometry_msgs/WrenchStamped");
  for (int i = 100; i < 300; ++i) {
    const std::int64_t recorded = (100'000 + 10 * i) * kMs;
    sensor.message(1, recorded, wrenchBytes(recorded, {1.0 * i, 0, 0, 0, 0, 0}));
  }
  writeBytes(directory_.file("sensor.mcap"), sensor.finish());
  const std::filesystem::path joints = part("joints.mcap", 0, 300);
  const BagSurvey survey = surveyBags({directory_.file("sensor.mcap"), joints}, {});
  EXPECT_EQ(survey.recording.files.back().path, joints);
  EXPECT_TRUE(survey.recording.notes.empty());
}

}  // namespace
}  // namespace dynid
