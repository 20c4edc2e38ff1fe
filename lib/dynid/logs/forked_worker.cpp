#include "dynid/logs/forked_worker.h"

#include "dynid/core/child_process.h"
#include "dynid/core/errors.h"

#include <hdf5.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if !defined(__has_feature)  // gcc before version 14, which defines the macros below instead
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DYNID_UNDER_SANITIZER 1
#else
#define DYNID_UNDER_SANITIZER 0
#endif

namespace dynid {
namespace {

// Address space of the child in addition to what this process uses [bytes]
constexpr rlim_t kMoreAddressSpace = rlim_t{1} << 30;
constexpr rlim_t kCpuSeconds = 3;
constexpr unsigned kWallSeconds = 60;
constexpr int kNoMemory = 2;            // exit status of the worker
constexpr int kNotClosed = 3;           // exit status of the worker
constexpr size_t kMaxComplaint = 4096;  // bytes

/// Number of threads of this process; 0 if there is no /proc.
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

/// The child has copies of the files that the parent is writing. Data that HDF5 would flush into
/// them when it is closed is redirected to /dev/null.
void detachOutputsOfParent(int null) {
  std::array<hid_t, 64> files{};
  const ssize_t count = H5Fget_obj_ids(H5F_OBJ_ALL, H5F_OBJ_FILE, files.size(), files.data());
  for (ssize_t i = 0; i < count; ++i) {
    unsigned intent = 0;
    if (H5Fget_intent(files[i], &intent) < 0 || (intent & H5F_ACC_RDWR) == 0) continue;
    int* descriptor = nullptr;
    if (H5Fget_vfd_handle(files[i], H5P_DEFAULT, reinterpret_cast<void**>(&descriptor)) >= 0 &&
        descriptor != nullptr)
      dup2(null, *descriptor);
  }
}

/// Libraries do not check every allocation: a crash after a refused one is a lack of memory.
void onCrash(int signal_number) {
  if (errno == ENOMEM) _exit(kNoMemory);
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void handleCrashes() {
  errno = 0;
  struct sigaction action {};
  action.sa_handler = onCrash;
  action.sa_flags = SA_ONSTACK;  // an endless recursion, if the program provides a stack
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT}) sigaction(number, &action, nullptr);
}

/// Runs in the child: with limits, without core file and terminal output.
/// @returns the exit status
int walkWithLimits(rlim_t address_space,
                   const ChildProcess::Report& report,
                   const std::function<void()>& walk) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, kCpuSeconds);
  limit(RLIMIT_AS, address_space);
  alarm(kWallSeconds);
  const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null >= 0) {
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    detachOutputsOfParent(null);
  }
  handleCrashes();
  // Only input errors are reported. Other errors may be due to the limits of the child; the parent
  // has none.
  try {
    walk();
  } catch (const InputError& error) {
    report(std::string_view(error.what()).substr(0, kMaxComplaint));
    return 0;
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  } catch (...) {  // the parent will get the same exception
  }
  // Some damaged files crash the library only when it is closed completely (CVE-2025-6269).
  return H5close() < 0 ? kNotClosed : 0;
}

const char* causeOfDeath(int signal_number) {
  switch (signal_number) {
    case SIGXCPU:
    case SIGKILL:
    case SIGALRM:
      return "did not finish";
    case SIGABRT:
      return "aborted";
    default:
      return "crashed";
  }
}

}  // namespace

bool hasForkedWorkers() { return DYNID_UNDER_SANITIZER == 0; }

void checkInForkedWorker(const std::filesystem::path& path, const std::function<void()>& walk) {
  if (!hasForkedWorkers() || threadsOfThisProcess() != 1) return;
  const rlim_t address_space = addressSpaceInUse() + kMoreAddressSpace;
  std::optional<ChildProcess> worker = ChildProcess::start([&](const ChildProcess::Report& report) {
    return walkWithLimits(address_space, report, walk);
  });
  if (!worker) return;  // no process can be started: the file is read without a trial
  const std::string complaint = worker->readAll();
  const std::optional<int> ended = worker->wait();
  if (!complaint.empty()) throw InputError(complaint);
  if (!ended) return;
  const int status = *ended;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory)
    throw InputError(path.string() +
                     ": the library that reads it got too little memory in a trial run (it may use "
                     "1 GiB, less if the system has less); the file is damaged (record or copy it "
                     "again), or memory is short (`ulimit -v`, the limit of the container)");
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotClosed)
    throw InputError(path.string() +
                     ": the HDF5 library cannot close this file in a trial run; the file is "
                     "damaged: record or copy it again");
  if (WIFSIGNALED(status))
    throw InputError(path.string() + ": the library that reads it " +
                     causeOfDeath(WTERMSIG(status)) + " (signal " +
                     std::to_string(WTERMSIG(status)) +
                     ") on this file in a trial run; the file is damaged: record or copy it again");
}

}  // namespace dynid
