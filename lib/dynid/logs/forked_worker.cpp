#include "dynid/logs/forked_worker.h"

#include "dynid/core/errors.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <new>
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

constexpr rlim_t kMoreAddressSpace = rlim_t{1} << 30;  // bytes on top of what this process uses
constexpr rlim_t kCpuSeconds = 3;
constexpr unsigned kWallSeconds = 60;
constexpr int kNoMemory = 2;            // exit status of the worker
constexpr size_t kMaxComplaint = 4096;  // bytes; a pipe takes that at once

/// 0 where there is no /proc.
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

/// All that the other end writes until it closes.
std::string readAll(int descriptor) {
  std::string text;
  std::array<char, 1024> buffer{};
  while (true) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<size_t>(count));
  }
}

/// The child's side: no core file, no words on the terminal, none of the parent's signal handlers
/// or destructors.
[[noreturn]] void work(rlim_t address_space, int report, const std::function<void()>& walk) {
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
  // What the worker finds wrong, the parent does not try again: he has no limits.
  std::string complaint;
  try {
    walk();
  } catch (const InputError& error) {
    complaint = error.what();
  } catch (const std::bad_alloc&) {
    _exit(kNoMemory);
  } catch (...) {
    _exit(0);
  }
  const size_t size = std::min(complaint.size(), kMaxComplaint);
  if (write(report, complaint.data(), size) != static_cast<ssize_t>(size)) _exit(kNoMemory);
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
  std::array<int, 2> report{};
  if (pipe2(report.data(), O_CLOEXEC) != 0) return;
  const pid_t worker = fork();
  if (worker == 0) work(address_space, report[1], walk);
  close(report[1]);
  const std::string complaint = worker < 0 ? "" : readAll(report[0]);
  close(report[0]);
  if (worker < 0) return;  // no process to spare: the checks by name remain
  int status = 0;
  pid_t done = 0;
  do {
    done = waitpid(worker, &status, 0);
  } while (done < 0 && errno == EINTR);
  if (!complaint.empty()) throw InputError(complaint);
  if (done != worker) return;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory)
    throw InputError(path.string() +
                     ": asks for more memory than a log needs; the file is damaged: record or "
                     "copy it again");
  if (WIFSIGNALED(status))
    throw InputError(path.string() + ": the HDF5 library " + causeOfDeath(WTERMSIG(status)) +
                     " (signal " + std::to_string(WTERMSIG(status)) +
                     ") on this file in a trial run; the file is damaged: record or copy it again");
}

}  // namespace dynid
