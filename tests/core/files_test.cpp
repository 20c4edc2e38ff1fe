#include "dynid/core/files.h"

#include "dynid/core/atomic_file.h"
#include "dynid/core/errors.h"
#include "dynid/core/file_digests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dynid {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("dynid_files_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  size_t entries() const {
    const std::filesystem::directory_iterator begin(folder_);
    return static_cast<size_t>(std::distance(begin, std::filesystem::directory_iterator()));
  }
  template <typename Error>
  static std::string messageOf(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

TEST_F(Files, Sha256OfKnownTexts) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// /proc/self/mem is a regular file whose first byte cannot be read: a disk that fails.
TEST_F(Files, AFailedReadIsNotTheEndOfTheFile) {
  EXPECT_EQ(messageOf<InputError>([] { sha256OfFile("/proc/self/mem"); }),
            "/proc/self/mem: cannot be read to its end: Input/output error");
}

TEST_F(Files, Sha256OfAFileReadInBlocks) {
  const std::string text(3'000'001, 'x');
  writeTextFile(folder_ / "long", text);
  EXPECT_EQ(sha256OfFile(folder_ / "long"), sha256(text));
}

TEST_F(Files, DigestsOfSeveralBesideTheCallersWork) {
  writeTextFile(folder_ / "a", "abc");
  writeTextFile(folder_ / "long", std::string(3'000'001, 'x'));
  for (const bool beside : {false, true}) {
    FileDigests digests({folder_ / "long", folder_ / "a"}, beside);
    EXPECT_EQ(digests.of(1), sha256("abc"));
    EXPECT_EQ(digests.of(0), sha256OfFile(folder_ / "long"));
    FileDigests missing({folder_ / "a", folder_ / "none"}, beside);
    EXPECT_THAT(messageOf<InputError>([&] { missing.of(0); }), HasSubstr("none"));
  }
}

TEST_F(Files, DigestsThatNobodyAsksForAreNotWaitedFor) {
  writeTextFile(folder_ / "a", "abc");
  const std::atomic<bool> stop{true};
  EXPECT_EQ(sha256OfFile(folder_ / "a", &stop), "");
  const std::filesystem::path endless = folder_ / "endless";  // sparse: many minutes of zeros
  writeTextFile(endless, "");
  std::filesystem::resize_file(endless, std::uintmax_t{1} << 40);
  const FileDigests digests({endless}, true);
}

TEST_F(Files, TextComesBackAsWritten) {
  const std::string text("zero\0byte, newline\n, \xc3\xa4", 23);
  writeTextFile(folder_ / "a.txt", text);
  EXPECT_EQ(readTextFile(folder_ / "a.txt"), text);
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, ReadingSaysWhatIsWrong) {
  const std::string missing = messageOf<InputError>([&] { readTextFile(folder_ / "none"); });
  EXPECT_THAT(missing,
              AllOf(StartsWith((folder_ / "none").string() + ": "), HasSubstr("No such file")));
  EXPECT_THAT(messageOf<InputError>([&] { readTextFile(folder_); }),
              HasSubstr("is not a regular file"));
  writeTextFile(folder_ / "long", "123456");
  EXPECT_THAT(messageOf<InputError>([&] { readTextFile(folder_ / "long", 5); }),
              HasSubstr("is larger than 5 bytes"));
}

TEST_F(Files, NothingIsLeftWithoutCommit) {
  {
    AtomicFile file(folder_ / "model.json");
    std::ofstream(file.temporary()) << "half";
    EXPECT_EQ(entries(), 1U);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "model.json"));
  }
  EXPECT_EQ(entries(), 0U);
}

TEST_F(Files, CommitReplacesTheOldFileAtOnce) {
  writeTextFile(folder_ / "model.json", "old");
  AtomicFile file(folder_ / "model.json");
  std::ofstream(file.temporary()) << "new";
  EXPECT_EQ(readTextFile(folder_ / "model.json"), "old");
  file.commit();
  EXPECT_EQ(readTextFile(folder_ / "model.json"), "new");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, WritingIntoNowhereNamesTheRemedy) {
  const std::string message =
      messageOf<OutputError>([&] { writeTextFile(folder_ / "none" / "a.txt", "text"); });
  EXPECT_THAT(message,
              AllOf(StartsWith((folder_ / "none" / "a.txt").string() + ": cannot be written: "),
                    EndsWith("choose a directory that exists and is writable")));
  EXPECT_THAT(messageOf<OutputError>([&] { AtomicFile file(folder_); }),
              HasSubstr("is a directory"));
}

TEST_F(Files, AFullDiskLeavesTheOldFileUntouched) {
  writeTextFile(folder_ / "model.json", "old");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 1000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = messageOf<OutputError>(
      [&] { writeTextFile(folder_ / "model.json", std::string(100'000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_THAT(message, HasSubstr("cannot be written"));
  EXPECT_EQ(readTextFile(folder_ / "model.json"), "old");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, AnInterruptedProcessLeavesNothing) {
  const pid_t child = fork();
  if (child == 0) {
    const AtomicFile file(folder_ / "model.json");
    removeUnfinishedFiles();  // what the signal handler calls
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(entries(), 0U);
}

}  // namespace
}  // namespace dynid
