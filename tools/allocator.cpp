#include "allocator.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace dynid::tool {
namespace {

/// Whether programs get huge pages where they ask for them, and only there.
bool hugePagesOnRequest() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string modes;
  return std::getline(file, modes) && modes.find("[madvise]") != std::string::npos;
}

}  // namespace

int numArenas() {
  constexpr unsigned kProcessorsPerArena = 4;
  const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
  // At least two: two threads of one arena often wait for each other.
  return static_cast<int>(std::max(std::min(processors, 2U),
                                   (processors + kProcessorsPerArena - 1) / kProcessorsPerArena));
}

void limitKeptMemory() {
#ifdef __GLIBC__
  constexpr int kMiB = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 16 * kMiB);
  mallopt(M_TRIM_THRESHOLD, 128 * kMiB);
  mallopt(M_ARENA_MAX, numArenas());
#endif
}

void useHugePages(char** argv) {
#ifdef __GLIBC__
  if (std::getenv("GLIBC_TUNABLES") != nullptr || !hugePagesOnRequest()) return;
  std::error_code failed;
  // not /proc/self/exe itself: the process would be called "exe"
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (!failed && setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0) == 0)
    execv(program.c_str(), argv);
#endif
}

}  // namespace dynid::tool
