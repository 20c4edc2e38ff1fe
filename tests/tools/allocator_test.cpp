#include "tools/allocator.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace dynid::tool {
namespace {

constexpr int kWentOn = 7;

/// Exit status of a child process that calls useHugePages(): that of this program, which lists its
/// tests, if it starts again, and kWentOn otherwise.
/// @param tunables  GLIBC_TUNABLES of the child; null: not set
int statusOfChild(const char* tunables) {
  const pid_t child = fork();
  if (child == 0) {
    unsetenv("GLIBC_TUNABLES");
    if (tunables != nullptr) setenv("GLIBC_TUNABLES", tunables, 1);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    std::string name = "tools_test", option = "--gtest_list_tests";
    char* argv[] = {name.data(), option.data(), nullptr};
    useHugePages(argv);
    _exit(kWentOn);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(HugePages, TheProgramStartsAgainWhereLinuxGivesThemOnRequest) {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string modes;
  std::getline(file, modes);
  const bool on_request = modes.find("[madvise]") != std::string::npos;
  EXPECT_EQ(statusOfChild(nullptr), on_request ? 0 : kWentOn);
}

TEST(HugePages, SettingsOfTheUserStay) {
  EXPECT_EQ(statusOfChild(""), kWentOn);
  EXPECT_EQ(statusOfChild("glibc.malloc.hugetlb=0"), kWentOn);
}

}  // namespace
}  // namespace dynid::tool
