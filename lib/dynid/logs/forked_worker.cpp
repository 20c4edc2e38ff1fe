#include "dynid/logs/forked_worker.h"

#include "dynid/core/errors.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DYNID_UNDER_SANITIZER 1
#else
#define DYNID_UNDER_SANITIZER 0
#endif

namespace dynid {
namespace {

constexpr rlim_t kMoreAddressSpace = rlim_t{2} << 30;  // bytes on top of what this process uses
constexpr rlim_t kCpuSeconds = 10;
constexpr unsigned kWallSeconds = 60;

/// A number of /proc/self/status or statm's first field; 0 where there is no such file.
long threadsOfThisProcess() {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line))
    if (line.starts_with("Threads:")) return std::stol(line.substr(8));
  return 0;
}

rlim_t addressSpaceInUse() {
  std::ifstream statm("/proc/self/statm");
  unsigned long pages = 0;
  statm >> pages;
  return static_cast<rlim_t>(pages) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

void limit(__rlimit_resource resource, rlim_t value) {
  struct rlimit now {};
  if (getrlimit(resource, &now) != 0) return;
  if (now.rlim_max == RLIM_INFINITY || value < now.rlim_max) now.rlim_max = value;
  now.rlim_cur = now.rlim_max;
  setrlimit(resource, &now);
}

/// The child's side: no core file, no words on the terminal, none of the parent's signal handlers
/// or destructors.
[[noreturn]] void work(rlim_t address_space, const std::function<void()>& walk) {
  for (const int number : {SIGINT, SIGTERM, SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGXCPU})
    std::signal(number, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, kCpuSeconds);
  limit(RLIMIT_AS, address_space);
  alarm(kWallSeconds);
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  try {
    walk();
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

const char* causeOfDeath(int signal_number) {
  switch (signal_number) {
    case SIGXCPU:
    case SIGKILL:
    case SIGALRM:
      return "did not come to an end";
    case SIGABRT:
      return "aborted";
    default:
      return "crashed";
  }
}

}  // namespace

void checkInForkedWorker(const std::filesystem::path& path, const std::function<void()>& walk) {
  if (DYNID_UNDER_SANITIZER != 0 || threadsOfThisProcess() != 1) return;
  const rlim_t address_space = addressSpaceInUse() + kMoreAddressSpace;
  const pid_t worker = fork();
  if (worker < 0) return;  // no process to spare: the checks by name remain
  if (worker == 0) work(address_space, walk);
  int status = 0;
  pid_t done = 0;
  do {
    done = waitpid(worker, &status, 0);
  } while (done < 0 && errno == EINTR);
  if (done == worker && WIFSIGNALED(status))
    throw InputError(path.string() + ": the HDF5 library " + causeOfDeath(WTERMSIG(status)) +
                     " (signal " + std::to_string(WTERMSIG(status)) +
                     ") on this file in a trial run; the file is damaged: record or copy it again");
}

}  // namespace dynid
