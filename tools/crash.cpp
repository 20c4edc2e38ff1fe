#include "crash.h"

#include "dynid/core/atomic_file.h"

#include "exit_status.h"
#include "failure.h"
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <unistd.h>

namespace dynid::tool {
namespace {

constexpr std::size_t kStackBytes = 65536;

std::atomic<bool>& ended() {
  static std::atomic<bool> regularly{false};
  return regularly;
}

/// Async-signal-safe.
void say(const char* text) {
  const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(written);  // a failure cannot be reported
}

constexpr char kEndedByLibrary[] =
    "dynid: error: a library ended the program; existing outputs are unchanged (internal error: "
    "please report it with the command line and the input files)\n";

/// Whether a refused allocation ends the process: it sets `errno` of its thread to ENOMEM. If so,
/// prints a message. Removes unfinished files in any case.
bool explainedByMemory(int error) {
  removeUnfinishedFiles();
  if (error != ENOMEM) return false;
  say("dynid: error: out of memory in a library; ");
  say(kMemoryAdvice);
  say("\n");
  return true;
}

/// These signals come from the crashed thread itself, so that `errno` is that of its last call.
void onCrash(int signal_number) {
  if (explainedByMemory(errno)) _exit(kInternal);
  say(kEndedByLibrary);
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);  // takes effect when the handler returns
}

/// For exceptions that cannot be caught (in a thread, in a destructor). libstdc++ calls this
/// without an exception when one leaves a noexcept function of its own.
[[noreturn]] void onTerminate() {
  if (std::current_exception() == nullptr) {
    if (!explainedByMemory(errno)) say(kEndedByLibrary);
    _exit(kInternal);
  }
  removeUnfinishedFiles();
  _exit(reportFailure("dynid"));
}

/// HDF5 calls exit() when it cannot register an identifier, and the Fortran library under Ipopt
/// when it gets no memory; `errno` may be lost by then.
void onExit() {
  if (ended()) return;
  if (!explainedByMemory(errno)) {
    say("dynid: error: a library ended the program, see its message above; existing outputs are "
        "unchanged. If memory ran out, ");
    say(kMemoryAdvice);
    say("; otherwise please report it with the command line and the input files\n");
  }
  _exit(kInternal);
}

/// A handler needs another stack after an endless recursion.
void provideStack() {
  static std::array<char, kStackBytes> bytes;
  stack_t stack{};
  stack.ss_sp = bytes.data();
  stack.ss_size = bytes.size();
  sigaltstack(&stack, nullptr);
}

}  // namespace

void reportCrashes() {
  ended() = false;  // initialises it before a handler may use it
  provideStack();
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) continue;
    action.sa_handler = onCrash;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, nullptr);
  }
  std::set_terminate(onTerminate);
  std::atexit(onExit);
  errno = 0;
}

int atRegularEnd(int status) {
  ended() = true;
  return status;
}

}  // namespace dynid::tool
