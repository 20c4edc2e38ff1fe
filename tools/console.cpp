#include "console.h"

#include "dynid/core/errors.h"

#include "interrupt.h"
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <unistd.h>

namespace dynid::tool {
namespace {

constexpr std::chrono::seconds kSilence{1};
constexpr std::chrono::milliseconds kRefresh{100};

using Clock = std::chrono::steady_clock;

void writeAll(int descriptor, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EPIPE) return;
    if (count < 0)
      throw OutputError(std::string("standard output: cannot be written: ") + std::strerror(errno));
    done += static_cast<size_t>(count);
  }
}

/// One line that is rewritten in place, and wiped when the work ends.
class Line {
 public:
  Line(std::string command, bool visible, bool verbose)
      : command_(std::move(command)), visible_(visible), verbose_(verbose) {}
  ~Line() { wipe(); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  void show(const std::string& stage, double fraction) {
    const Clock::time_point now = Clock::now();
    if (verbose_ && stage != stage_) {
      wipe();
      printNote(command_, stage);
    }
    stage_ = stage;
    if (!visible_ || now - start_ < kSilence || now - shown_ < kRefresh) return;
    shown_ = now;
    drawn_ = true;
    std::fprintf(stderr, "\r\033[K%s %3.0f %%", stage.c_str(), 100.0 * fraction);
  }

 private:
  void wipe() {
    if (drawn_) std::fputs("\r\033[K", stderr);
    drawn_ = false;
  }

  std::string command_, stage_;
  bool visible_, verbose_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), shown_{};
};

}  // namespace

void printResult(const std::string& text) { writeAll(STDOUT_FILENO, text); }

void printNote(const std::string& command, const std::string& text) {
  std::fprintf(stderr, "dynid %s: %s\n", command.c_str(), text.c_str());
}

Progress progressLine(const std::string& command, bool quiet, bool verbose) {
  const bool visible = !quiet && isatty(STDERR_FILENO) != 0;
  const auto line = std::make_shared<Line>(command, visible, verbose && !quiet);
  return [line](const std::string& stage, double fraction) {
    throwIfInterrupted();
    line->show(stage, fraction);
  };
}

}  // namespace dynid::tool
