#include "dynid/core/errors.h"
#include "dynid/logs/inspect.h"
#include "dynid/logs/log_reader.h"

#include <gmock/gmock.h>

#include "logs/test_files.h"
#include <fstream>
#include <sys/stat.h>

namespace dynid {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class BadLog : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return directory_.file("bad.h5"); }
  /// The message, without the path.
  std::string complaint(const LogReaderOptions& options = {}) const {
    const std::string message = messageOf<InputError>([&] { LogReader(path(), options); });
    EXPECT_THAT(message, StartsWith(path().string() + ":"));
    return message.substr(std::min(message.size(), path().string().size()));
  }
  void plainFileWithout(const std::string& name, const std::function<void(RawH5&)>& more) const {
    RawH5 file(path());
    plainLog(file);
    if (!name.empty()) file.remove(name);
    more(file);
  }
  TestDirectory directory_;
};

TEST_F(BadLog, Missing) { EXPECT_EQ(complaint(), ": cannot be read: No such file or directory"); }

TEST_F(BadLog, DirectoryOrPipe) {
  const char* expected =
      ": is not a regular file; give the path of a file, not of a directory or pipe";
  std::filesystem::create_directory(path());
  EXPECT_EQ(complaint(), expected);
  std::filesystem::remove(path());
  ASSERT_EQ(mkfifo(path().c_str(), 0600), 0);
  EXPECT_EQ(complaint(), expected);
}

TEST_F(BadLog, NotHdf5) {
  writeText(path(), "time,q1\n0,1\n");
  EXPECT_EQ(complaint(), ": is not an HDF5 file; CSV text is converted by `dynid import`");
  EXPECT_EQ(fileKind(path()), FileKind::kNotHdf5);
  writeText(path(), "");
  EXPECT_EQ(complaint(), ": is empty; it is not an HDF5 file");
}

// Of a log that lacks something, reading says what; another file is no log.
TEST_F(BadLog, AnIncompleteLogIsALog) {
  for (const char* dataset : {"position", "effort", "current"}) {
    {
      RawH5 file(path());
      file.numbers(dataset, {2, 1}, {0, 1});
    }
    EXPECT_EQ(fileKind(path()), FileKind::kLog) << dataset;
  }
  {
    RawH5 file(path());
    file.numbers("temperature", {2, 1}, {0, 1});
  }
  EXPECT_EQ(fileKind(path()), FileKind::kUnknownHdf5);
}

TEST_F(BadLog, Truncated) {
  plainFileWithout("", [](RawH5&) {});
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) / 2);
  const std::string message = complaint();
  EXPECT_THAT(message, StartsWith(": the file is truncated (truncated file: eof ="));
  EXPECT_THAT(message, HasSubstr("copy it again"));
}

TEST_F(BadLog, DamagedBeyondTheSignature) {
  plainFileWithout("", [](RawH5&) {});
  std::fstream(path(), std::ios::in | std::ios::out | std::ios::binary)
      .seekp(96)
      .write(std::string(400, '\xff').data(), 400);
  EXPECT_THAT(complaint(), HasSubstr("the file is damaged"));
}

TEST_F(BadLog, KilledWriter) {
  plainFileWithout("", [](RawH5&) {});
  // Opened for writing and never closed: the flags in the superblock (latest format) remain set.
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  const auto copy = directory_.file("copy.h5");
  std::filesystem::copy_file(path(), copy);
  H5Fclose(file);
  H5Pclose(access);
  std::filesystem::rename(copy, path());
  EXPECT_EQ(complaint(),
            ": a program is still writing it, or was killed while writing; wait for it, or run "
            "`h5clear -s` on a copy");
}

TEST_F(BadLog, MissingDatasets) {
  plainFileWithout("position", [](RawH5&) {});
  EXPECT_EQ(complaint(), ":/position: is missing");
  plainFileWithout("joint_names", [](RawH5&) {});
  EXPECT_EQ(complaint(),
            ":/joint_names: is missing; columns go by joint name: add a dataset of strings, one "
            "per column of position");
  plainFileWithout("time", [](RawH5&) {});
  EXPECT_EQ(complaint(),
            ":/time: is missing, and so is the attribute 'sample_rate_hz'; one of them is needed "
            "to know the clock");
}

TEST_F(BadLog, WrongShapes) {
  plainFileWithout("position", [](RawH5& f) { f.numbers("position", {8, 3}, ramp(24)); });
  EXPECT_EQ(complaint(),
            ":/position: has the shape [8, 3]; expected [samples, 2], a column for each of "
            "joint_names");
  plainFileWithout("position", [](RawH5& f) { f.numbers("position", {2, 8}, ramp(16)); });
  EXPECT_EQ(complaint(),
            ":/position: has the shape [2, 8]; expected [samples, 2], a column for each of "
            "joint_names. It is transposed (MATLAB and Fortran write dimensions in reverse): write "
            "the transpose");
  plainFileWithout("time", [](RawH5& f) { f.numbers("time", {1, 8}, ramp(8)); });
  EXPECT_EQ(complaint(),
            ":/time: has the shape [1, 8]; expected [samples]. It is transposed (MATLAB and "
            "Fortran write dimensions in reverse)");
  plainFileWithout("joint_names", [](RawH5& f) { f.numbers("joint_names", {2}, ramp(2)); });
  EXPECT_EQ(complaint(), ":/joint_names: is not text");
}

TEST_F(BadLog, WrongJointNames) {
  plainFileWithout("", [](RawH5&) {});
  LogReaderOptions options;
  options.joints = {"a", "elbow"};
  EXPECT_THAT(
      complaint(options),
      StartsWith(":/joint_names: no column for the joint 'elbow'; the log has a, b; name the "
                 "columns as the robot description names its joints"));
  plainFileWithout("joint_names", [](RawH5& f) { f.names({"shoulder_pan", "elbow_joint"}); });
  options.joints = {"elbow_jiont"};
  EXPECT_THAT(complaint(options),
              StartsWith(":/joint_names: no column for the joint 'elbow_jiont'; the log has "
                         "shoulder_pan, elbow_joint; did you mean \"elbow_joint\"?"));
  plainFileWithout("joint_names", [](RawH5& f) { f.names({"a,b"}); });
  EXPECT_THAT(
      complaint(),
      HasSubstr("joint_names holds one name only: write an array of texts, one per column"));
  plainFileWithout("joint_names", [](RawH5& f) { f.names({"a", "a"}); });
  EXPECT_EQ(complaint(), ":/joint_names[1]: 'a' occurs twice; every column needs a different name");
  plainFileWithout("joint_names", [](RawH5& f) { f.names({"a", ""}); });
  EXPECT_EQ(complaint(), ":/joint_names[1]: is empty; every column needs a name");
}

TEST_F(BadLog, UnknownUnits) {
  const auto with_effort = [&](const std::string& attribute, std::vector<std::string> texts) {
    plainFileWithout("effort", [&](RawH5& f) {
      f.numbers("effort", {8, 2}, ramp(16));
      f.text("effort", attribute, texts);
    });
    return complaint();
  };
  EXPECT_EQ(with_effort("unit", {"percent"}),
            ":/effort: unknown unit 'percent'; known are Nm, N, mNm, kNm, Ncm, Nmm. Where joints "
            "differ, add an attribute 'unit_per_joint'");
  EXPECT_EQ(with_effort("unit", {"A"}),
            ":/effort: unknown unit 'A'; known are Nm, N, mNm, kNm, Ncm, Nmm. A motor current "
            "belongs into a dataset 'current'");
  EXPECT_EQ(with_effort("unit_per_joint", {"Nm", "driver units"}),
            ":/effort: unknown unit 'driver units' of joint 'b'; known are Nm, N, mNm, kNm, Ncm, "
            "Nmm");
  EXPECT_EQ(with_effort("unit_per_joint", {"Nm", "Nm", "Nm"}),
            ":/effort: attribute 'unit_per_joint' has 3 entries for 2 joints");
  // With the joint kinds of the robot, a revolute joint in newtons is an error.
  with_effort("unit_per_joint", {"N", "Nm"});
  LogReaderOptions options;
  options.joints = {"a", "b"};
  EXPECT_EQ(complaint(options),
            ":/effort: unit 'N' does not fit the revolute joint 'a'; expected N m or the like");
}

TEST_F(BadLog, OtherFormatsAndVersions) {
  plainFileWithout("", [](RawH5& f) { f.text("/", "format", {"dynid-prediction"}); });
  EXPECT_EQ(complaint(),
            ": is a 'dynid-prediction' file, not a log; give a log (format 'dynid-log', or none)");
  plainFileWithout("", [](RawH5& f) {
    f.text("/", "format", {"dynid-log"});
    f.number("version", 2);
  });
  EXPECT_EQ(complaint(),
            ": is a log of version 2; this program reads version 1: use a newer dynid");
}

TEST_F(BadLog, Links) {
  plainFileWithout("position", [](RawH5& f) {
    H5Lcreate_external("other.h5", "/position", f.id, "position", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_EQ(complaint(),
            ":/position: is an external link, which is not followed; copy the data into the file "
            "under this name");
  plainFileWithout("position", [](RawH5& f) {
    H5Lcreate_soft("/effort", f.id, "position", H5P_DEFAULT, H5P_DEFAULT);
  });
  EXPECT_EQ(complaint(),
            ":/position: is a soft link, which is not followed; copy the data into the file under "
            "this name");
}

TEST_F(BadLog, VirtualExternalAndUnwrittenStorage) {
  plainFileWithout("position", [](RawH5& f) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    const std::vector<hsize_t> shape{8, 2};
    const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
    H5Pset_virtual(properties, space, "missing.h5", "/position", space);
    H5Sclose(space);
    f.numbers("position", {8, 2}, {}, H5T_IEEE_F64LE, properties, false);
  });
  EXPECT_EQ(complaint(),
            ":/position: is a virtual dataset (its numbers live in other files, and a missing one "
            "reads as zeros); copy the data into one file");
  plainFileWithout("position", [](RawH5& f) {
    const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(properties, "/etc/passwd", 0, 128);
    f.numbers("position", {8, 2}, {}, H5T_IEEE_F64LE, properties, false);
  });
  EXPECT_EQ(complaint(),
            ":/position: keeps its numbers in an external file; copy them into this one");
  plainFileWithout("position", [](RawH5& f) {
    f.numbers("position", {8, 2}, {}, H5T_IEEE_F64LE, H5P_DEFAULT, false);
  });
  EXPECT_EQ(complaint(),
            ":/position: was created but never written: all its numbers would be zero");
}

TEST_F(BadLog, WrittenInPart) {
  plainFileWithout("position", [](RawH5& f) {
    f.numbers("position", {8, 2}, {}, H5T_IEEE_F64LE, chunked({2, 2}), false);
    const hid_t set = H5Dopen2(f.id, "position", H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    const std::vector<hsize_t> start{0, 0};
    const std::vector<hsize_t> count{4, 2};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const hid_t memory = H5Screate_simple(2, count.data(), nullptr);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, ramp(8).data());
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
  });
  EXPECT_EQ(complaint(),
            ":/position: only 2 of 4 chunks were ever written; the rest holds no recorded numbers. "
            "Record it again, or cut the dataset to the rows that exist");
}

TEST_F(BadLog, Bombs) {
  // A terabyte of numbers, of which only a few are stored.
  const auto bomb = [&](hsize_t chunk_rows) {
    plainFileWithout("position", [&](RawH5& f) {
      const hsize_t rows = hsize_t{1} << 36;
      const hid_t properties = chunked({chunk_rows, 2});
      H5Pset_deflate(properties, 9);
      f.numbers("position", {rows, 2}, {}, H5T_IEEE_F64LE, properties, false);
      const hid_t set = H5Dopen2(f.id, "position", H5P_DEFAULT);
      const hid_t space = H5Dget_space(set);
      const std::vector<hsize_t> start{0, 0};
      const std::vector<hsize_t> count{4, 2};
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
      const hid_t memory = H5Screate_simple(2, count.data(), nullptr);
      H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, ramp(8).data());
      H5Sclose(memory);
      H5Sclose(space);
      H5Dclose(set);
    });
    return complaint();
  };
  EXPECT_THAT(bomb(1024), HasSubstr("this is not a recording (most of it was never written)"));
  EXPECT_EQ(bomb(hsize_t{1} << 23),
            ":/position: has chunks of 128 MiB; at most 64 MiB are read: rewrite it with smaller "
            "chunks (h5repack -l)");
}

TEST_F(BadLog, StrangeFilter) {
  plainFileWithout("position", [](RawH5& f) {
    const hid_t properties = chunked({8, 2});
    H5Pset_nbit(properties);
    f.numbers("position", {8, 2}, ramp(16), H5T_IEEE_F64LE, properties);
  });
  EXPECT_EQ(complaint(),
            ":/position: is stored with filter 5 (nbit); only deflate, shuffle and fletcher32 are "
            "read: rewrite the file with `h5repack -f GZIP=4 old.h5 new.h5`");
}

// h5repack cannot read what a plugin has compressed, and leaves it out.
TEST_F(BadLog, FilterOfAPlugin) {
  constexpr H5Z_filter_t kPlugin = 32000;
  const H5Z_class2_t plugin = {
      H5Z_CLASS_T_VERS,
      kPlugin,
      1,
      1,
      "lzf",
      nullptr,
      nullptr,
      [](unsigned, size_t, const unsigned*, size_t bytes, size_t*, void**) { return bytes; }};
  H5Zregister(&plugin);
  plainFileWithout("position", [](RawH5& f) {
    const hid_t properties = chunked({8, 2});
    H5Pset_filter(properties, kPlugin, 0, 0, nullptr);
    f.numbers("position", {8, 2}, ramp(16), H5T_IEEE_F64LE, properties);
  });
  H5Zunregister(kPlugin);
  EXPECT_THAT(complaint(), HasSubstr("write the log with gzip compression, or none"));
}

TEST_F(BadLog, NoRows) {
  RawH5(path()).number("nothing", 0);
  {
    RawH5 file(path());
    plainLog(file, 0);
  }
  EXPECT_THAT(complaint(), HasSubstr("/time: has no rows"));
}

TEST_F(BadLog, TooShort) {
  RawH5(path()).number("nothing", 0);
  {
    RawH5 file(path());
    plainLog(file, 1);
  }
  EXPECT_EQ(complaint(), ": has 1 row in every dataset; at least 2 are needed");
  EXPECT_EQ(readLogInfo(path()).rows, 1);
}

TEST_F(BadLog, WrongAttributesAndPayload) {
  plainFileWithout("", [](RawH5& f) { f.number("sample_rate_hz", -5); });
  EXPECT_EQ(complaint(), ":/: attribute 'sample_rate_hz' is -5; it must be positive");
  plainFileWithout("", [](RawH5& f) { f.number("payload_mass_kg", -1); });
  EXPECT_EQ(complaint(),
            ":/: attribute 'payload_mass_kg': is -1 kg; a mass is finite and not negative");
  plainFileWithout("", [](RawH5& f) {
    H5Gclose(H5Gcreate2(f.id, "payload", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    f.numbers("payload/com", {2}, ramp(2));
  });
  EXPECT_EQ(complaint(), ":/payload/com: has 2 numbers; expected 3");
  plainFileWithout("", [](RawH5& f) {
    H5Gclose(H5Gcreate2(f.id, "payload", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    f.numbers("payload/mass", {1}, {0.0});
  });
  EXPECT_FALSE(readLogInfo(path()).payload);
}

TEST_F(BadLog, ChecksumFindsAFlippedByte) {
  {
    RawH5 file(path());
    plainLog(file);
    file.remove("effort");
    const hid_t properties = chunked({8, 2});
    H5Pset_fletcher32(properties);
    file.numbers("effort", {8, 2}, ramp(16, 1e9), H5T_IEEE_F64LE, properties);
  }
  // Finds the number 1e9 + 3 in the file and changes it.
  std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const double value = 1e9 + 3;
  const size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&value), 8));
  ASSERT_NE(at, std::string::npos);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(static_cast<char>(bytes[at] ^ 1));
  file.close();
  const LogReader reader(path());
  RawBlock block;
  EXPECT_THAT(messageOf<InputError>([&] { reader.read(0, 8, block); }),
              HasSubstr(":/effort[0..7]: cannot be read, the file is damaged: "));
}

}  // namespace
}  // namespace dynid
