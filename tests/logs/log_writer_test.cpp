#include "dynid/logs/log_writer.h"

#include "dynid/core/errors.h"
#include "dynid/logs/inspect.h"
#include "dynid/logs/log_reader.h"
#include "dynid/logs/prediction_writer.h"

#include <gmock/gmock.h>

#include "logs/test_files.h"
#include <csignal>
#include <random>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace dynid {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RawBlock randomBlock(std::mt19937& random, Eigen::Index rows, Eigen::Index joints) {
  std::normal_distribution<double> normal;
  const auto fill = [&] {
    return Eigen::MatrixXd::NullaryExpr(rows, joints, [&] { return normal(random); }).eval();
  };
  RawBlock block;
  block.time = Eigen::VectorXd::NullaryExpr(rows, [&] { return normal(random); });
  block.position = fill();
  block.velocity = fill();
  block.acceleration = fill();
  block.effort = fill();
  return block;
}

LogHeader fullHeader() {
  LogHeader header;
  header.joint_names = {"hinge", "slide"};
  header.prismatic = {false, true};
  header.has_acceleration = true;
  header.robot = "rr";
  header.source = "test, größer";
  header.license = "none";
  header.description = "two joints";
  header.sample_rate_hz = 500.0;
  header.gravity = Eigen::Vector3d(0, 0, -9.81);
  return header;
}

class LogWriterTest : public ::testing::TestWithParam<int> {};

TEST_P(LogWriterTest, WhatIsWrittenReadsBackBitForBit) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  std::mt19937 random(1);
  LogHeader header = fullHeader();
  header.compression = GetParam();
  PayloadNote payload;
  payload.link = "tool0";
  payload.name = "block";
  payload.mass = 2.5;
  payload.com = Eigen::Vector3d(0.1, 0.2, 0.3);
  payload.inertia = Eigen::Matrix<double, 6, 1>::LinSpaced(1.0, 6.0);
  header.payload = payload;
  std::vector<RawBlock> blocks;
  {
    LogWriter writer(path, header);
    for (const Eigen::Index rows : {1, 1500, 0, 700}) {
      blocks.push_back(randomBlock(random, rows, 2));
      writer.append(blocks.back());
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    writer.finish();
  }
  EXPECT_EQ(directory.files(), 1U);
  EXPECT_EQ(fileKind(path), FileKind::kLog);
  LogReaderOptions options;
  options.joints = header.joint_names;
  options.prismatic = {"slide"};
  const LogReader reader(path, options);
  const LogInfo& info = reader.info();
  EXPECT_EQ(info.rows, 2201);
  EXPECT_THAT(info.notes, IsEmpty());
  EXPECT_THAT(info.velocity.units, ElementsAre("rad/s", "m/s"));
  EXPECT_THAT(info.effort.units, ElementsAre("N m", "N"));
  EXPECT_EQ(info.robot, "rr");
  EXPECT_EQ(info.source, "test, größer");
  EXPECT_EQ(info.sample_rate_hz, 500.0);
  EXPECT_EQ(info.gravity, Eigen::Vector3d(0, 0, -9.81));
  ASSERT_TRUE(info.payload);
  EXPECT_EQ(info.payload->link, "tool0");
  EXPECT_EQ(info.payload->name, "block");
  EXPECT_EQ(info.payload->mass, 2.5);
  EXPECT_EQ(info.payload->com, payload.com);
  EXPECT_EQ(info.payload->inertia, payload.inertia);
  std::int64_t first = 0;
  RawBlock read;
  for (const RawBlock& block : blocks) {
    reader.read(first, block.rows(), read);
    EXPECT_EQ(read.time, block.time);
    EXPECT_EQ(read.position, block.position);
    EXPECT_EQ(read.velocity, block.velocity);
    EXPECT_EQ(read.acceleration, block.acceleration);
    EXPECT_EQ(read.effort, block.effort);
    first += block.rows();
  }
}
INSTANTIATE_TEST_SUITE_P(Compression, LogWriterTest, ::testing::Values(0, 6));

TEST(LogWriter, TheSameContentIsTheSameFile) {
  const TestDirectory directory;
  std::string bytes[2];
  for (int i = 0; i < 2; ++i) {
    std::mt19937 random(2);
    const auto path = directory.file(std::to_string(i));
    LogWriter writer(path, fullHeader());
    writer.append(randomBlock(random, 100, 2));
    writer.finish();
    std::ifstream in(path, std::ios::binary);
    bytes[i].assign(std::istreambuf_iterator<char>(in), {});
  }
  EXPECT_EQ(bytes[0], bytes[1]);
}

TEST(LogWriter, ThrownAwayUnlessFinished) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  writeText(path, "what was there before");
  {
    std::mt19937 random(3);
    LogWriter writer(path, fullHeader());
    writer.append(randomBlock(random, 5000, 2));
    EXPECT_EQ(directory.files(), 2U);
  }
  EXPECT_EQ(directory.files(), 1U);
  EXPECT_EQ(std::filesystem::file_size(path), 21U);
}

TEST(LogWriter, MistakesOfTheCaller) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  LogHeader header = fullHeader();
  header.joint_names = {"a", "a"};
  EXPECT_EQ(
      messageOf<std::invalid_argument>([&] { LogWriter(path, header); }),
      "the header of a log: joint_names[1] is 'a'; expected names that are not empty and differ");
  std::mt19937 random(4);
  LogWriter writer(path, fullHeader());
  EXPECT_EQ(messageOf<std::invalid_argument>([&] { writer.append(randomBlock(random, 5, 3)); }),
            "position is [5, 3]; expected [5, 2]");
}

TEST(LogWriter, DirectoryThatIsMissing) {
  const TestDirectory directory;
  const auto path = directory.file("nowhere") / "log.h5";
  EXPECT_EQ(messageOf<OutputError>([&] { LogWriter(path, fullHeader()); }),
            path.string() +
                ": cannot be written: No such file or directory; choose a directory "
                "that exists and is writable");
}

/// Writes more than the limit allows: returns 0 if an OutputError was thrown and no file was left.
/// Ends the process with HDF5's own clean-up.
[[noreturn]] void overfill(const std::filesystem::path& directory, int rows, int appends) {
  const auto path = directory / "log.h5";
  const std::string message = messageOf<OutputError>([&] {
    std::mt19937 random(5);
    LogWriter writer(path, fullHeader());
    const RawBlock block = randomBlock(random, rows, 2);
    for (int i = 0; i < appends; ++i) writer.append(block);
    writer.finish();
  });
  const std::string expected = path.string() + ": cannot be written: ";
  const bool said = message == expected + "No space left on device; nothing was changed there" ||
                    message == expected + "File too large; nothing was changed there";
  std::exit(said && std::filesystem::is_empty(directory) ? 0 : 1);
}

int exitStatusOf(const std::function<void()>& child) {
  const pid_t pid = fork();
  if (pid == 0) {
    alarm(60);
    child();
    _exit(99);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/// Small blocks, large blocks, and so little data that it stays in caches until the end.
constexpr std::pair<int, int> kAmounts[] = {{10, 4000}, {3000, 100}, {8000, 1}};

TEST(LogWriter, FileSizeLimitReached) {
  for (const auto& [rows, appends] : kAmounts) {
    const TestDirectory directory;
    EXPECT_EQ(exitStatusOf([&directory, rows = rows, appends = appends] {
                std::signal(SIGXFSZ, SIG_IGN);
                const struct rlimit small { 200000, 200000 };
                setrlimit(RLIMIT_FSIZE, &small);
                overfill(directory.path(), rows, appends);
              }),
              0)
        << rows << " rows at a time";
  }
}

TEST(LogWriter, DiskFull) {
  const TestDirectory directory;
  const auto disk = directory.file("disk");
  std::filesystem::create_directory(disk);
  if (mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=256k") != 0)
    GTEST_SKIP() << "a small disk cannot be mounted here (not root)";
  for (const auto& [rows, appends] : kAmounts)
    EXPECT_EQ(
        exitStatusOf([&disk, rows = rows, appends = appends] { overfill(disk, rows, appends); }), 0)
        << rows << " rows at a time";
  umount(disk.c_str());
}

TEST(PredictionWriter, WritesWhatAnybodyCanScore) {
  const TestDirectory directory;
  const auto path = directory.file("prediction.h5");
  std::mt19937 random(6);
  const RawBlock block = randomBlock(random, 300, 2);
  {
    PredictionWriter writer(path, {"a", "b"}, EffortKind::kCurrent);
    writer.append(block.time.head(100), block.effort.topRows(100), block.position.topRows(100));
    writer.append(
        block.time.tail(200), block.effort.bottomRows(200), block.position.bottomRows(200));
    EXPECT_THROW(writer.append(block.time, block.effort, block.position.topRows(2)),
                 std::invalid_argument);
    writer.finish();
  }
  EXPECT_EQ(fileKind(path), FileKind::kPrediction);
  EXPECT_THAT(messageOf<InputError>([&] { LogReader{path}; }), HasSubstr("not a log"));
  // Read through the C interface, independent of the library.
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const auto values = [&](const char* name) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> all(300, 2);
    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
    H5Dclose(set);
    return Eigen::MatrixXd(all);
  };
  EXPECT_EQ(values("current_measured"), block.effort);
  EXPECT_EQ(values("current_predicted"), block.position);
  H5Fclose(file);
  EXPECT_THROW(PredictionWriter(path, {"a"}, EffortKind::kNone), std::invalid_argument);
}

}  // namespace
}  // namespace dynid
