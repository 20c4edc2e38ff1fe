#include "tools/allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <malloc.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

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

#ifdef __GLIBC__
/// Arenas of the C library's allocator in this process.
int arenasInUse() {
  char* text = nullptr;
  size_t size = 0;
  FILE* const file = open_memstream(&text, &size);
  malloc_info(0, file);
  fclose(file);
  const std::string report(text, size);
  free(text);
  int arenas = 0;
  for (size_t at = report.find("<heap nr="); at != std::string::npos;
       at = report.find("<heap nr=", at + 1))
    ++arenas;
  return arenas;
}

// Before any thread of this program: the C library reads the limit when the first one allocates.
[[maybe_unused]] const bool kLimited = (limitKeptMemory(), true);

TEST(KeptMemory, ThreadsShareArenas) {
  const int before = arenasInUse(), num_threads = numArenas() + 3;
  std::atomic<int> allocated = 0;
  std::vector<std::thread> threads;
  threads.reserve(num_threads);
  for (int i = 0; i < num_threads; ++i)
    threads.emplace_back([&] {
      const std::vector<double> memory(1 << 12);
      ++allocated;
      while (allocated < num_threads) std::this_thread::yield();
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(arenasInUse(), std::max(before, numArenas()));
}
#endif

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
