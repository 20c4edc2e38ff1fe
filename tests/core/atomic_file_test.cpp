#include "dynid/core/atomic_file.h"

#include "dynid/core/errors.h"
#include "dynid/core/files.h"
#include "dynid/core/output_set.h"
#include "dynid/core/read_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <functional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dynid {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::StartsWith;

class AtomicFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("dynid_atomic_" + std::to_string(getpid()));
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  static std::string messageOf(const std::function<void()>& action) {
    try {
      action();
    } catch (const OutputError& error) {
      return error.what();
    }
    return "no error";
  }
  static mode_t modeOf(const std::filesystem::path& path) {
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
  }

  std::filesystem::path folder_;
};

TEST_F(AtomicFiles, TheTemporaryNameIsNewEachTime) {
  const AtomicFile first(folder_ / "model.json");
  const AtomicFile second(folder_ / "model.json");
  EXPECT_NE(first.temporary(), second.temporary());
  EXPECT_THAT(first.temporary().filename().string(), StartsWith("model.json.partial-"));
}

TEST_F(AtomicFiles, KeepsThePermissionsOfTheOldFile) {
  for (const mode_t mode : {0600, 0640, 0664}) {
    writeTextFile(folder_ / "model.json", "old");
    ASSERT_EQ(chmod((folder_ / "model.json").c_str(), mode), 0);
    writeTextFile(folder_ / "model.json", "new");
    EXPECT_EQ(modeOf(folder_ / "model.json"), mode);
  }
}

TEST_F(AtomicFiles, ANewFileHasThePermissionsOfTheUmask) {
  const mode_t before = umask(027);
  writeTextFile(folder_ / "model.json", "new");
  umask(before);
  EXPECT_EQ(modeOf(folder_ / "model.json"), 0640U);
}

TEST_F(AtomicFiles, FollowsASymbolicLink) {
  std::filesystem::create_directory(folder_ / "elsewhere");
  writeTextFile(folder_ / "elsewhere" / "real.json", "old");
  std::filesystem::create_symlink("elsewhere/real.json", folder_ / "link.json");
  writeTextFile(folder_ / "link.json", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.json"));
  EXPECT_EQ(readTextFile(folder_ / "elsewhere" / "real.json"), "new");
}

TEST_F(AtomicFiles, RefusesASymbolicLinkToNothing) {
  std::filesystem::create_symlink("nothing.json", folder_ / "link.json");
  EXPECT_EQ(messageOf([&] { writeTextFile(folder_ / "link.json", "new"); }),
            (folder_ / "link.json").string() +
                ": is a symbolic link to a file that does not exist; remove the link, or give the "
                "name of the file itself");
  EXPECT_EQ(files(), std::vector<std::string>{"link.json"});
}

TEST_F(AtomicFiles, RemovesWhatAKilledProcessLeft) {
  const pid_t child = fork();
  if (child == 0) {
    const AtomicFile file(folder_ / "model.json");
    std::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(files().size(), 1U);
  writeTextFile(folder_ / "other.json", "x");
  EXPECT_EQ(files().size(), 2U) << "the temporary file of another output was removed";
  writeTextFile(folder_ / "model.json", "new");
  EXPECT_THAT(files(), testing::ElementsAre("model.json", "other.json"));
}

TEST_F(AtomicFiles, LeavesTheTemporaryFilesOfLivingProcessesAlone) {
  AtomicFile mine(folder_ / "model.json");
  writeTextFile(folder_ / "model.json.partial-notours", "x");
  writeTextFile(folder_ / "model.json.partial-00000000-1-0", "of another machine");
  writeTextFile(folder_ / "model.json", "by somebody else");
  EXPECT_EQ(files().size(), 4U);
  std::ofstream(mine.temporary()) << "mine";
  mine.commit();
  EXPECT_EQ(readTextFile(folder_ / "model.json"), "mine");
}

TEST_F(AtomicFiles, LongNamesAreWrittenToo) {
  const std::string name(250, 'n');
  writeTextFile(folder_ / name, "text");
  EXPECT_EQ(files(), std::vector<std::string>{name});
}

TEST_F(AtomicFiles, ASetAppearsTogether) {
  writeTextFile(folder_ / "a", "old");
  {
    OutputSet set;
    for (const char* name : {"a", "b"})
      set.write(folder_ / name, [](const auto& temporary) { writeTextFile(temporary, "new"); });
    EXPECT_EQ(readTextFile(folder_ / "a"), "old");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "b"));
    set.commit();
  }
  EXPECT_EQ(readTextFile(folder_ / "a"), "new");
  EXPECT_EQ(readTextFile(folder_ / "b"), "new");
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(AtomicFiles, ASetWithoutCommitLeavesNothing) {
  writeTextFile(folder_ / "a", "old");
  {
    OutputSet set;
    for (const char* name : {"a", "b"})
      set.write(folder_ / name, [](const auto& temporary) { writeTextFile(temporary, "new"); });
  }
  EXPECT_EQ(files(), std::vector<std::string>{"a"});
  EXPECT_EQ(readTextFile(folder_ / "a"), "old");
}

TEST_F(AtomicFiles, AFailureWithinASetNamesTheOutputAndNotTheTemporary) {
  OutputSet set;
  const std::string message = messageOf([&] {
    set.write(folder_ / "a", [](const std::filesystem::path& temporary) {
      throw OutputError(temporary.string() + ": cannot be written: no space");
    });
  });
  EXPECT_EQ(message, (folder_ / "a").string() + ": cannot be written: no space");
  EXPECT_TRUE(files().empty());
}

TEST_F(AtomicFiles, AFailureAmongTheRenamesSaysWhatWasReplaced) {
  std::filesystem::create_directory(folder_ / "gone");
  OutputSet set;
  for (const char* name : {"a", "gone/b"})
    set.write(folder_ / name, [](const auto& temporary) { writeTextFile(temporary, "new"); });
  std::filesystem::create_directory(folder_ / "gone" / "b");  // a file cannot replace a directory
  EXPECT_THAT(messageOf([&] { set.commit(); }),
              AllOf(StartsWith((folder_ / "gone" / "b").string() + ": cannot be written: "),
                    EndsWith("; already replaced were: " + (folder_ / "a").string())));
}

TEST_F(AtomicFiles, ReadFilesAreKnownByAnyName) {
  writeTextFile(folder_ / "arm.urdf", "text");
  std::filesystem::create_hard_link(folder_ / "arm.urdf", folder_ / "hard.urdf");
  std::filesystem::create_symlink("arm.urdf", folder_ / "soft.urdf");
  EXPECT_FALSE(nameWhenRead(folder_ / "hard.urdf"));
  readTextFile(folder_ / "arm.urdf");
  for (const char* name : {"arm.urdf", "hard.urdf", "soft.urdf"})
    EXPECT_EQ(nameWhenRead(folder_ / name), folder_ / "arm.urdf") << name;
  EXPECT_FALSE(nameWhenRead(folder_ / "none.urdf"));
}

}  // namespace
}  // namespace dynid
