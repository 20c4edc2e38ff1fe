#pragma once

#include "dynid/bags/bag_survey.h"

#include <cstdint>
#include <vector>

namespace dynid {

/// A run of the leading publisher's clock [ns].
struct ContinuedRun {
  std::int64_t first = 0, last = 0;    ///< its least and its greatest stamp
  std::int64_t delay = 0;              ///< least time from a stamp to its recording
  std::int64_t shift = 0;              ///< added to its stamps, which puts it behind earlier runs
  std::int64_t begin = 0, before = 0;  ///< as ClockRun
};

/// Puts the runs of a clock that was restarted (with a driver or a simulation) one behind the
/// other. The time between two runs is that between their recordings, at least 5 s, so that they
/// are filtered separately.
std::vector<ContinuedRun> continuedRuns(const ClockSurvey& clock);

/// The times of messages of all sources, one after the other, while the leading publisher's clock
/// is restarted. All sources have its shift: they belong to the run in which they were recorded.
class ContinuedClock {
 public:
  /// @pre at least one run
  explicit ContinuedClock(std::vector<ContinuedRun> runs)
      : runs_(std::move(runs)), now_(runs_.front().first) {}

  /// Time of a message of the leading publisher.
  std::int64_t ofLeader(std::int64_t stamp);
  /// Time of a message of another source with the same clock.
  std::int64_t ofStamp(std::int64_t stamp) const;
  /// Time of a message of a source with another clock, from its time of recording.
  std::int64_t ofRecording(std::int64_t log_time) const;

 private:
  std::vector<ContinuedRun> runs_;
  size_t run_ = 0;
  std::int64_t now_;  // the last stamp of the leading publisher
};

}  // namespace dynid
