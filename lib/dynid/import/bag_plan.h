#pragma once

#include "dynid/bags/row_merger.h"
#include "dynid/import/continued_clock.h"
#include "dynid/import/import_bag.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dynid {

/// How messages get their times.
struct MessageTime {
  enum class Clock {
    kStamp,      ///< the header's stamp
    kRecording,  ///< the time of recording
    kShifted     ///< the time of recording, shifted to the clock of the leading publisher's stamps
  };
  Clock clock = Clock::kStamp;
  bool leave_out_zero = false;  ///< a stamp of 0 means that none was set
};

/// Use of the joint states of one layout (names and lengths of the arrays).
struct LayoutUse {
  /// Copies number `index` of a message's channel (0 position, 1 velocity, 2 effort) to the index
  /// `place` of the row.
  struct Copy {
    size_t channel, index, place;
  };
  std::optional<size_t> publisher;  ///< 0: the leading one; empty: not used
  MessageTime time;
  std::vector<Copy> copies;
};

/// A topic of joint states that is used.
struct JointTopicUse {
  size_t topic;  ///< index in the survey
  std::vector<LayoutUse> layouts;
};

/// A topic of a wrench or an inertial sensor that is used.
struct SensorUse {
  size_t topic, series;
  MessageKind kind;
  MessageTime time;
};

/// How the messages of a recording become the rows of a log. A row contains the positions, the
/// velocities and the efforts of all joints, then the numbers of each sensor.
struct BagPlan {
  std::vector<std::string> joints;
  bool has_velocity = false, has_effort = false;
  size_t width = 0;
  bool use_log_time = false;  ///< rows have the times of recording
  /// Leave out rows that equal the row before in time and in every number.
  bool leave_out_repeated = true;
  std::vector<ContinuedRun> runs;              ///< of the leading publisher's clock; at least one
  std::int64_t first_time = 0, last_time = 0;  ///< [ns] of the rows
  std::vector<JointTopicUse> topics;
  std::vector<MergedSeries> series;       ///< of the publishers but the first, then the sensors
  std::vector<std::string> series_names;  ///< names of the series, for messages
  std::vector<SensorUse> sensors;
  std::vector<std::string> bodies;  ///< links with sensors
  /// For each link the first place of the row with its angular velocity (linear acceleration
  /// behind it) and its wrench.
  std::vector<std::pair<std::optional<size_t>, std::optional<size_t>>> body_places;
  std::vector<TakenColumn> taken;
  std::vector<std::string> notes;
};

/// @throws UsageError, InputError as importBag
BagPlan planBagImport(const BagSurvey& survey, const BagImportOptions& options);

}  // namespace dynid
