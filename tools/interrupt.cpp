#include "interrupt.h"

#include "dynid/core/atomic_file.h"
#include "dynid/core/errors.h"

#include "exit_status.h"
#include <atomic>
#include <csignal>
#include <unistd.h>

namespace dynid::tool {
namespace {

constexpr unsigned kPatienceSeconds = 2;

// Written by the signal handler, therefore global.
std::atomic<int>& pendingSignal() {
  static std::atomic<int> number{0};
  return number;
}

/// Outputs that are being renamed are completed first: the alarm is set again.
void endNow(int signal_number) {
  if (replacementInProgress()) {
    alarm(1);
    return;
  }
  removeUnfinishedFiles();
  _exit(kSignalBase + signal_number);
}

void onSignal(int signal_number) {
  int none = 0;
  if (!pendingSignal().compare_exchange_strong(none, signal_number)) endNow(signal_number);
  alarm(kPatienceSeconds);
}

void onAlarm(int) { endNow(pendingSignal()); }

void take(int signal_number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, nullptr);
}

}  // namespace

void handleSignals() {
  pendingSignal() = 0;  // initialises it before a handler may use it
  take(SIGINT, onSignal);
  take(SIGTERM, onSignal);
  struct sigaction hangup {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) take(SIGHUP, onSignal);  // ignored by nohup
  take(SIGALRM, onAlarm);
  take(SIGPIPE, SIG_IGN);
  take(SIGXFSZ, SIG_IGN);
}

void waitForSecondSignal() { alarm(0); }

void throwIfInterrupted() {
  if (const int signal_number = pendingSignal(); signal_number != 0)
    throw Interrupted(signal_number);
}

}  // namespace dynid::tool
