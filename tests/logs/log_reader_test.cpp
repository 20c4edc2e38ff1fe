#include "dynid/logs/log_reader.h"

#include "dynid/core/errors.h"
#include "dynid/logs/log_writer.h"
#include "dynid/logs/stored_rows.h"

#include <gmock/gmock.h>

#include "logs/test_files.h"
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace dynid {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RawBlock readAll(const LogReader& reader) {
  RawBlock block;
  reader.read(0, reader.info().rows, block);
  return block;
}

LogReaderOptions joints(std::vector<std::string> names, std::vector<std::string> prismatic = {}) {
  LogReaderOptions options;
  options.joints = std::move(names);
  options.prismatic = std::move(prismatic);
  return options;
}

TEST(LogReader, ReadsBlocksInTheOrderOfTheJointsAskedFor) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  {
    RawH5 file(path);
    plainLog(file);
  }
  const LogReader reader(path, joints({"b", "a"}));
  EXPECT_EQ(reader.info().rows, 8);
  EXPECT_EQ(reader.info().effort_kind, EffortKind::kEffort);
  EXPECT_THAT(reader.info().joint_names, ElementsAre("a", "b"));
  EXPECT_THAT(reader.info().notes, IsEmpty());
  RawBlock block;
  reader.read(2, 3, block);
  EXPECT_EQ(block.first_row, 2);
  EXPECT_EQ(block.time, Eigen::Vector3d(2, 3, 4));
  Eigen::MatrixXd expected(3, 2);
  expected << 105, 104, 107, 106, 109, 108;
  EXPECT_EQ(block.position, expected);
  EXPECT_EQ(block.effort, (expected.array() + 100).matrix());
  EXPECT_EQ(block.velocity.size(), 0);
  EXPECT_EQ(reader.readTime(6, 2), Eigen::Vector2d(6, 7));
}

TEST(LogReader, AppliesACorrectionToEveryRowAndToTheStamps) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  {
    RawH5 file(path);
    plainLog(file);
  }
  LogReaderOptions options = joints({"b", "a"});
  options.correction.time_factor = 0.5;
  options.correction.effort_source = {1, 0};
  options.correction.position_factor = Eigen::Vector2d(1.0, -1.0);
  const LogReader reader(path, options), plain(path, joints({"b", "a"}));
  RawBlock corrected, read;
  reader.read(2, 3, corrected);
  plain.read(2, 3, read);
  apply(options.correction, read);
  EXPECT_EQ(corrected.time, Eigen::Vector3d(1, 1.5, 2));
  EXPECT_EQ(corrected.position, read.position);
  EXPECT_EQ(corrected.effort, read.effort);
  EXPECT_EQ(reader.decoded(reader.readStored(2, 3)).effort, read.effort);
  EXPECT_EQ(reader.readTime(6, 2), Eigen::Vector2d(3, 3.5));
}

TEST(LogReader, RefusesOptionsForOtherColumns) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  {
    RawH5 file(path);
    plainLog(file);
  }
  LogReaderOptions options;
  options.unwrapped = {true};
  EXPECT_THROW(LogReader(path, options), std::invalid_argument);
  options = {};
  options.correction.effort_source = {0, 2};
  EXPECT_THROW(LogReader(path, options), std::invalid_argument);
  options.correction.effort_source = {0};
  EXPECT_THROW(LogReader(path, options), std::invalid_argument);
}

TEST(LogReader, AnglesThatWrapAreContinuousWithinABlock) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  constexpr Eigen::Index kRows = 400;
  Eigen::MatrixXd angle(kRows, 2);  // about zero, and about half a turn
  RawBlock block;
  block.time = Eigen::VectorXd::LinSpaced(kRows, 0.0, 3.99);
  for (Eigen::Index i = 0; i < kRows; ++i) {
    angle(i, 0) = 0.4 * std::sin(0.05 * static_cast<double>(i)) - 0.1;
    angle(i, 1) = 0.4 * std::sin(0.05 * static_cast<double>(i)) + 3.0;
  }
  block.position =
      angle.unaryExpr([](double q) { return q < 0.0 ? q + 2.0 * std::numbers::pi : q; });
  block.effort = angle;
  LogHeader header;
  header.joint_names = {"a", "b"};
  header.has_velocity = false;
  LogWriter writer(path, header);
  writer.append(block);
  writer.finish();
  LogReaderOptions options = joints({"a", "b"});
  EXPECT_EQ(readAll(LogReader(path, options)).position, block.position);
  options.unwrapped = {true, true};
  const RawBlock read = readAll(LogReader(path, options));
  EXPECT_LT((read.position - angle).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_THAT(read.wraps, ElementsAre(::testing::Gt(3), 0));
  options.unwrapped = {false, true};
  EXPECT_EQ(readAll(LogReader(path, options)).position, block.position);
}

TEST(LogReader, ReadsWhateverTheStorage) {
  const TestDirectory directory;
  const std::vector<double> data = ramp(1000);
  const auto read_back = [&](hid_t type, hid_t properties, bool variable_names) {
    const auto path = directory.file("storage.h5");
    {
      RawH5 file(path);
      file.names({"a", "b"}, variable_names);
      file.number("sample_rate_hz", 100.0);
      file.numbers("position", {500, 2}, data, type, properties);
    }
    LogReader reader(path);
    EXPECT_THAT(reader.joints(), ElementsAre("a", "b"));
    const RawBlock block = readAll(reader);
    EXPECT_DOUBLE_EQ(block.time[499], 4.99);
    for (int i = 0; i < 500; ++i) {
      EXPECT_EQ(block.position(i, 0), data[2 * i]);
      EXPECT_EQ(block.position(i, 1), data[2 * i + 1]);
    }
  };
  read_back(H5T_IEEE_F64LE, H5P_DEFAULT, true);
  read_back(H5T_IEEE_F32LE, H5P_DEFAULT, false);
  read_back(H5T_IEEE_F64BE, chunked({7, 1}), true);
  read_back(H5T_STD_I32LE, chunked({64, 2}), true);
  const hid_t squeezed = chunked({100, 2});
  H5Pset_shuffle(squeezed);
  H5Pset_deflate(squeezed, 9);
  H5Pset_fletcher32(squeezed);
  read_back(H5T_IEEE_F64LE, squeezed, false);
}

TEST(LogReader, ReadsBehindAUserBlock) {
  const TestDirectory directory;
  const auto path = directory.file("matlab.h5");
  {
    RawH5 file(path, 512);
    plainLog(file);
  }
  EXPECT_EQ(LogReader(path).info().rows, 8);
}

TEST(LogReader, ConvertsUnitsPerJoint) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  {
    RawH5 file(path);
    file.names({"slide", "hinge"});
    file.numbers("time", {2}, {0.0, 4.0});
    file.numbers("position", {2, 2}, {1000, 180, 2000, 90});
    file.numbers("velocity", {2, 2}, {10, 60, 20, 30});
    file.numbers("current", {2, 2}, {5, 7, 6, 8});
    file.text("time", "unit", {"ms"});
    file.text("position", "unit", {"whatever (see unit_per_joint)"});
    file.text("position", "unit_per_joint", {"mm", "deg"});
    file.text("velocity", "unit_per_joint", {"mm/s", "rpm"});
    file.text("current", "unit_per_joint", {"A (torso: driver units)", "mA"});
  }
  const LogReader reader(path, joints({"slide", "hinge"}, {"slide"}));
  const RawBlock block = readAll(reader);
  EXPECT_DOUBLE_EQ(block.time[1], 0.004);
  EXPECT_DOUBLE_EQ(block.position(0, 0), 1.0);
  EXPECT_DOUBLE_EQ(block.position(0, 1), std::numbers::pi);
  EXPECT_DOUBLE_EQ(block.velocity(1, 0), 0.02);
  EXPECT_DOUBLE_EQ(block.velocity(0, 1), 2 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(block.effort(0, 0), 5.0);
  EXPECT_DOUBLE_EQ(block.effort(0, 1), 0.007);
  EXPECT_EQ(reader.info().effort_kind, EffortKind::kCurrent);
  EXPECT_THAT(reader.info().notes, ElementsAre(HasSubstr("the words after the unit are ignored")));
  // Without a statement about prismatic joints, the units decide.
  EXPECT_THAT(LogReader(path).prismatic(), ElementsAre(true, false));
}

TEST(LogReader, NotesWhatItAssumesAndLeavesOut) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  {
    RawH5 file(path);
    file.names({"a", "b", "c"});
    file.numbers("time", {8}, ramp(8));
    file.numbers("position", {10, 3}, ramp(30));
    file.numbers("effort", {9, 3}, ramp(27));
    file.numbers("current", {9, 3}, ramp(27));
    file.numbers("velocity", {0, 3}, {});
    file.number("payload_mass_kg", 2.5);
    file.number("robot", 7);
  }
  const LogReader reader(path, joints({"c", "a"}));
  EXPECT_EQ(reader.info().rows, 8);
  EXPECT_FALSE(reader.info().hasVelocity());
  ASSERT_TRUE(reader.info().payload);
  EXPECT_EQ(reader.info().payload->mass, 2.5);
  EXPECT_FALSE(reader.info().payload->com);
  EXPECT_THAT(
      reader.info().notes,
      ElementsAre("attribute 'robot' is not text: ignored",
                  "payload_mass_kg: a payload of 2.5 kg, with unknown centre of mass and inertia",
                  "velocity: has no rows: not used",
                  "the log has effort and current: effort is used",
                  "position: its last 2 rows are not in every dataset: not used",
                  "effort: its last 1 rows are not in every dataset: not used",
                  "columns not used: b",
                  "time: no unit attribute, taken as s",
                  "position: no unit attribute, taken as rad",
                  "effort: no unit attribute, taken as N m"));
}

TEST(LogReader, KeepsNanAndInf) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  {
    RawH5 file(path);
    file.names({"a"});
    file.number("sample_rate_hz", 10);
    file.numbers("position", {3}, {NAN, INFINITY, 1.0});
  }
  const RawBlock block = readAll(LogReader(path));
  EXPECT_TRUE(std::isnan(block.position(0, 0)));
  EXPECT_TRUE(std::isinf(block.position(1, 0)));
  EXPECT_EQ(block.position(2, 0), 1.0);
}

TEST(LogReader, OneUnitForBothKindsOfJointsOnlyInSi) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  const auto write = [&](const char* unit) {
    RawH5 file(path);
    file.names({"slide", "hinge"});
    file.number("sample_rate_hz", 10);
    file.numbers("position", {2, 2}, ramp(4));
    file.text("position", "unit", {unit});
  };
  write("rad");
  EXPECT_THAT(LogReader(path, joints({"slide", "hinge"}, {"slide"})).info().notes,
              Contains("position: unit 'rad' for all, taken as m for the prismatic joints"));
  write("deg");
  EXPECT_EQ(
      messageOf<InputError>([&] {
        LogReader(path, joints({"slide", "hinge"}, {"slide"}));
      }),
      path.string() +
          ":/position: unit 'deg' does not fit the prismatic joint 'slide'; add "
          "an attribute 'unit_per_joint', or name the joint under `prismatic` in the mapping of "
          "`dynid import`");
}

TEST(LogReader, ReadsNamesInAColumnAsMatlabWritesThem) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  {
    RawH5 file(path);
    file.names({"a", "b"}, true, 2);
    file.number("sample_rate_hz", 10);
    file.numbers("position", {2, 2}, ramp(4));
  }
  EXPECT_THAT(LogReader(path).info().joint_names, ElementsAre("a", "b"));
}

TEST(LogReader, ReadsUnitsUnderTheNameOfNetcdf) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  const auto write = [&](bool both) {
    RawH5 file(path);
    file.names({"a"});
    file.numbers("time", {2}, ramp(2));
    file.text("time", "units", {"milliseconds since 2024-05-01"});
    file.numbers("position", {2, 1}, ramp(2));
    file.text("position", "units", {"degrees"});
    if (both) file.text("position", "unit", {"rad"});
    file.numbers("effort", {2, 1}, ramp(2));
    file.text("effort", "units", {"mN m"});
  };
  write(false);
  const RawBlock block = readAll(LogReader(path));
  const double last = ramp(2)[1];
  EXPECT_NEAR(block.time(1), 1e-3 * last, 1e-15);
  EXPECT_NEAR(block.position(1, 0), last * std::numbers::pi / 180.0, 1e-15);
  EXPECT_NEAR(block.effort(1, 0), 1e-3 * last, 1e-15);
  write(true);
  EXPECT_EQ(readAll(LogReader(path)).position(1, 0), last);
}

TEST(LogReader, RefusesRangesOutsideTheLog) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  {
    RawH5 file(path);
    plainLog(file);
  }
  const LogReader reader(path);
  RawBlock block;
  EXPECT_EQ(messageOf<std::invalid_argument>([&] { reader.read(5, 4, block); }),
            "rows [5, 9) are asked for; the log has 8");
  EXPECT_THROW(reader.read(-1, 2, block), std::invalid_argument);
  EXPECT_THROW(LogReader(path, joints({"a"}, {"b"})), std::invalid_argument);
}

TEST(LogReader, ClosesAndOpensAgainUnlessTheFileWasChanged) {
  const TestDirectory directory;
  const auto path = directory.file("log.h5");
  const auto write = [&](hsize_t rows) {
    RawH5 file(path);  // HDF5 does not create a file that this process has open
    ASSERT_GE(file.id, 0);
    plainLog(file, rows);
  };
  write(8);
  const LogReader reader(path);
  const RawBlock before = readAll(reader);
  reader.close();
  EXPECT_EQ(readAll(reader).position, before.position);
  reader.close();
  EXPECT_EQ(reader.readTime(6, 2), Eigen::Vector2d(6, 7));
  reader.close();
  write(9);
  EXPECT_THAT(messageOf<InputError>([&] { readAll(reader); }),
              HasSubstr("log.h5: was changed while it was in use"));
}

TEST(LogReader, RealLogsOpenAndReadInFull) {
  const std::filesystem::path data = DYNID_REAL_DATA_DIR;
  if (data.empty() || !std::filesystem::is_directory(data))
    GTEST_SKIP() << "DYNID_REAL_DATA_DIR has no logs of real robots";
  int logs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data)) {
    if (entry.path().extension() != ".h5") continue;
    SCOPED_TRACE(entry.path().string());
    ++logs;
    const LogReader reader(entry.path());
    const LogInfo& info = reader.info();
    EXPECT_GT(info.rows, 500);
    EXPECT_EQ(info.rows, info.position.rows);
    EXPECT_NE(info.effort_kind, EffortKind::kNone);
    if (info.gravity) {
      EXPECT_NEAR(info.gravity->norm(), 9.81, 0.01);
    }
    const RawBlock whole = readAll(reader);
    EXPECT_EQ(whole.effort.cols(), static_cast<Eigen::Index>(info.joint_names.size()));
    EXPECT_TRUE(whole.position.allFinite());
    // The same in small blocks.
    RawBlock part;
    for (std::int64_t first = 0; first < info.rows; first += 777) {
      const std::int64_t count = std::min<std::int64_t>(777, info.rows - first);
      reader.read(first, count, part);
      ASSERT_EQ(part.effort, whole.effort.middleRows(first, count));
      ASSERT_EQ(part.time, whole.time.segment(first, count));
    }
  }
  EXPECT_GT(logs, 0);
}

}  // namespace
}  // namespace dynid
