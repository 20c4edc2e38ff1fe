#include "console.h"

#include "dynid/core/errors.h"
#include "dynid/core/printable.h"

#include "interrupt.h"
#include "option_names.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <unistd.h>

namespace dynid::tool {
namespace {

constexpr std::chrono::seconds kSilence{1};
constexpr std::chrono::milliseconds kRefresh{100};
constexpr std::chrono::seconds kPace{2};

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

/// A progress line that is rewritten in place and removed when the work ends.
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
    if (fraction < fraction_) {  // another part of the work begins
      begun_ = now;
      begun_at_ = fraction;
    }
    fraction_ = fraction;
    if (!visible_ || now - start_ < kSilence || now - shown_ < kRefresh) return;
    shown_ = now;
    drawn_ = true;
    std::fprintf(stderr,
                 "\r\033[K%s %3.0f %%%s",
                 printable(stage).c_str(),
                 100.0 * fraction,
                 timeLeft(now).c_str());
  }

 private:
  // Remaining time of this stage, extrapolated; empty until it can be estimated.
  std::string timeLeft(Clock::time_point now) const {
    const std::chrono::duration<double> spent = now - begun_;
    const double done = fraction_ - begun_at_;
    if (spent < kPace || !(done > 0.0)) return "";
    const auto seconds = std::lround(spent.count() * (1.0 - fraction_) / done);
    char text[48];
    if (seconds < 60) {
      std::snprintf(text, sizeof text, ", %ld s left", seconds);
    } else {
      std::snprintf(text, sizeof text, ", %ld min %02ld s left", seconds / 60, seconds % 60);
    }
    return text;
  }
  void wipe() {
    if (drawn_) std::fputs("\r\033[K", stderr);
    drawn_ = false;
  }

  std::string command_, stage_;
  bool visible_, verbose_, drawn_ = false;
  double fraction_ = 0.0, begun_at_ = 0.0;
  Clock::time_point start_ = Clock::now(), shown_{}, begun_ = start_;
};

}  // namespace

std::string padded(std::string text, size_t width) {
  text.resize(std::max(text.size() + 1, width), ' ');
  return text;
}

void printResult(const std::string& text) {
  writeAll(STDOUT_FILENO, printable(withOptionNames(text)));
}

void printError(const std::string& line) noexcept {
  try {
    std::fprintf(stderr, "%s\n", printable(withOptionNames(line)).c_str());
  } catch (...) {  // no memory for the copy
    std::fputs("dynid: error: out of memory\n", stderr);
  }
}

void printNote(const std::string& command, const std::string& text) {
  printError("dynid " + command + ": " + text);
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
