// A folder of files that crashed HDF5 or other readers (DYNID_CVE_DIR, for instance a copy of the
// public HDFGroup/cve_hdf5): every command ends with a documented exit status and a message.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/child_process.h"
#include <filesystem>

namespace dynid {
namespace {

TEST(PublicMalformedFiles, AreRefusedByEveryCommand) {
  const std::filesystem::path folder = DYNID_CVE_DIR;
  if (folder.empty()) GTEST_SKIP() << "DYNID_CVE_DIR is not set";
  ASSERT_TRUE(std::filesystem::is_directory(folder)) << folder;
  const std::string arm = "datasets/quickstart/arm.toml";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string file = std::filesystem::absolute(entry.path()).string();
    const TemporaryDirectory desk;
    const std::vector<std::vector<std::string>> commands{
        {"inspect", file},
        {"identify", "--robot", arm, "--output", desk / "model.json", "--log", file},
        {"validate", "--model", "datasets/quickstart/model.json", "--log", file},
        {"simulate", arm, "--trajectory", file, "--output", desk / "log.h5"},
        {"identify", "--robot", arm, "--output", desk / "model.json", "--statistics", file}};
    for (const std::vector<std::string>& command : commands) {
      const std::vector<std::string> before = desk.files();
      const Outcome run = dynid(command);
      EXPECT_THAT(run.status, ::testing::AnyOf(0, 1, 2, 3))
          << command.front() << " " << file << "\n"
          << run.err;
      if (run.status > 1) {
        EXPECT_NE(run.err, "") << command.front() << " " << file;
        EXPECT_EQ(desk.files(), before) << command.front() << " " << file;
      }
    }
  }
  EXPECT_GT(files, 0) << folder << " is empty";
}

}  // namespace
}  // namespace dynid
