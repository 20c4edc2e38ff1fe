#include "dynid/import/continued_clock.h"

#include <algorithm>
#include <cmath>

namespace dynid {
namespace {

constexpr std::int64_t kPause = 5'000'000'000;  // [ns]

bool isCloser(std::int64_t stamp, std::int64_t to, std::int64_t than) {
  return std::abs(stamp - to) < std::abs(stamp - than);
}

}  // namespace

std::vector<ContinuedRun> continuedRuns(const ClockSurvey& clock) {
  std::vector<ContinuedRun> runs;
  for (const ClockRun& run : clock.runs()) {
    std::int64_t shift = 0;
    if (!runs.empty()) {
      const ClockRun& before = clock.runs()[runs.size() - 1];
      const std::int64_t more =
          std::min(before.greatest - run.least, kLatestTime / 4) +
          std::clamp(run.first_log_time - before.last_log_time, kPause, kLatestTime / 4);
      shift = std::min(runs.back().shift + more, kLatestTime / 2);
    }
    runs.push_back({run.least, run.greatest, run.least_delay, shift, run.begin, run.before});
  }
  return runs;
}

std::int64_t ContinuedClock::ofLeader(std::int64_t stamp) {
  if (stamp != 0) {
    const bool another = run_ + 1 < runs_.size();
    const bool set_back =
        another && stamp == runs_[run_ + 1].begin && now_ == runs_[run_ + 1].before;
    if (another && (isRestart(now_, stamp) || set_back)) ++run_;
    now_ = stamp;
  }
  return ofStamp(stamp);
}

std::int64_t ContinuedClock::ofStamp(std::int64_t stamp) const {
  size_t at = run_;
  // Messages that were recorded shortly before or after the first one of the leading publisher in
  // its new run.
  const bool begins = run_ > 0 && now_ < runs_[run_].first + kClockRestart;
  const bool ends = run_ + 1 < runs_.size() && now_ > runs_[run_].last - kClockRestart;
  if (begins && isCloser(stamp, runs_[run_ - 1].last, now_)) {
    at = run_ - 1;
  } else if (ends && isCloser(stamp, runs_[run_ + 1].first, now_)) {
    at = run_ + 1;
  }
  return std::min(stamp + runs_[at].shift, kLatestTime);
}

std::int64_t ContinuedClock::ofRecording(std::int64_t log_time) const {
  const std::int64_t stamp =
      std::clamp(log_time - runs_[run_].delay, -kLatestTime / 2, kLatestTime);
  return std::min(stamp + runs_[run_].shift, kLatestTime);
}

}  // namespace dynid
