#include "dynid/core/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace dynid {
namespace {

constexpr int kFailed = 1;  // exit status

void writeAll(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(pipe, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(kFailed);
    bytes.remove_prefix(count);
  }
}

[[noreturn]] void runChild(const ChildProcess::Work& work, int pipe, pid_t parent) {
  for (const int number : {SIGINT, SIGTERM}) std::signal(number, SIG_IGN);
  for (const int number : {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGXCPU})
    std::signal(number, SIG_DFL);
  std::signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kFailed);  // the parent ended before the line above
  int status = kFailed;
  try {
    status = work([&](std::string_view bytes) { writeAll(pipe, bytes); });
  } catch (...) {
    _exit(kFailed);
  }
  _exit(status);
}

}  // namespace

std::optional<ChildProcess> ChildProcess::start(const Work& work) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return std::nullopt;
  const pid_t parent = getpid();
  std::fflush(stdout);  // a library that flushes it in the child would print the text a second time
  const pid_t id = fork();
  if (id == 0) {
    close(ends[0]);
    runChild(work, ends[1], parent);
  }
  const int error = errno;
  close(ends[1]);
  if (id > 0) return ChildProcess(id, ends[0]);
  close(ends[0]);
  errno = error;
  return std::nullopt;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, -1)), pipe_(std::exchange(other.pipe_, -1)) {}

ChildProcess::~ChildProcess() {
  if (id_ > 0) {
    kill(id_, SIGKILL);
    wait();
  }
  if (pipe_ >= 0) close(pipe_);
}

std::string ChildProcess::read() {
  std::array<char, 8192> buffer{};
  while (true) {
    const ssize_t count = ::read(pipe_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    return count > 0 ? std::string(buffer.data(), static_cast<std::size_t>(count)) : "";
  }
}

std::string ChildProcess::readAll() {
  std::string all;
  for (std::string part = read(); !part.empty(); part = read()) all += part;
  return all;
}

std::optional<int> ChildProcess::wait() {
  if (id_ < 0) return std::nullopt;
  int status = 0;
  pid_t done = -1;
  do {
    done = waitpid(id_, &status, 0);
  } while (done < 0 && errno == EINTR);
  const bool ended = done == id_;
  id_ = -1;
  return ended ? std::optional(status) : std::nullopt;
}

}  // namespace dynid
